import { describe, expect } from "vitest";
import { test, type World } from "./world.ts";
import { madeUpTicket } from "./made-up-tickets.ts";

interface Charge {
  charge_id?: string;
  subscription_id?: string | null;
  invoice_id?: string;
  amount?: number;
  card_brand?: string;
  card_last4?: string;
  period_start?: number | null;
  is_refunded?: boolean;
  period_end?: number | null;
  dispute?: "open" | "won" | "lost" | null;
  amount_refunded?: number;
}

const records =
  "select kind, provider_id, status from private.payment_records where customer_id = $1 order by id";
const periodStart = 1_800_000_000;
const end = 1_802_592_000;

async function customerOf(world: World, member: string): Promise<string> {
  const sql = "select public.billing_record_customer($1, $2) as id";
  return String((await world.one("service_role", sql, [member, `cus_${member}`]))["id"]);
}

async function applyCharge(world: World, member: string, ticket: number, charge: Charge) {
  const snapshot = {
    charge_id: `ch_${member}`,
    customer_id: await customerOf(world, member),
    subscription_id: `sub_${member}`,
    currency: "gbp",
    amount_refunded: 0,
    is_refunded: false,
    period_end: end,
    dispute: null,
    records: [
      {
        kind: "payment",
        id: `ch_${member}`,
        status: "succeeded",
        amount: 10_000,
        reason: null,
        created: 1,
      },
      ...(charge.dispute
        ? [
            {
              kind: "dispute",
              id: `du_${member}`,
              status: charge.dispute,
              amount: 10_000,
              reason: "fraudulent",
              created: 2,
            },
          ]
        : []),
    ],
    ...charge,
  };
  const sql = "select public.billing_apply_charge($1, $2) as outcome";
  return (await world.one("service_role", sql, [madeUpTicket(ticket), JSON.stringify(snapshot)]))[
    "outcome"
  ];
}

/** Applies a reading of the subscription as the provider runs it. @returns the row the member has. */
async function read(
  world: World,
  member: string,
  ticket: number,
  status = "active",
  start = periodStart,
) {
  const item = {
    price_id: "price_mentor_access",
    current_period_start: start,
    current_period_end: start + 2_592_000,
  };
  const snapshot = {
    subscription_id: `sub_${member}`,
    customer_id: await customerOf(world, member),
    status,
    cancel_at_period_end: false,
    created: 1_800_000_000,
    items: [item],
  };
  const apply = "select public.billing_apply_subscription($1, $2)";
  await world.run("service_role", apply, [madeUpTicket(ticket), JSON.stringify(snapshot)]);
  const sql = "select status, hold from public.stripe_subscriptions where subscription_id = $1";
  return await world.one(member, sql, [`sub_${member}`]);
}

describe("a disputed or refunded payment", () => {
  test.for([
    [{ dispute: "open" }, "active", { status: "paused", hold: "disputed" }],
    [{ dispute: "open" }, "past_due", { status: "paused", hold: "disputed" }],
    [{ dispute: "won" }, "active", { status: "active", hold: null }],
    [{ dispute: "lost" }, "active", { status: "canceled", hold: "dispute_lost" }],
    [{ is_refunded: true }, "trialing", { status: "canceled", hold: "refunded" }],
    [{ is_refunded: true, dispute: "open" }, "active", { status: "canceled", hold: "refunded" }],
    [{ is_refunded: true, period_end: 1_800_000_000 }, "active", { status: "active", hold: null }],
    [{ is_refunded: true, period_end: null }, "active", { status: "active", hold: null }],
    [{ amount_refunded: 9999 }, "active", { status: "active", hold: null }],
    [{ dispute: "lost" }, "incomplete", { status: "incomplete", hold: "dispute_lost" }],
  ] as [Charge, string, object][])(
    "%j while %s: %j",
    async ([charge, status, expected], { world }) => {
      const member = await world.newcomer();
      expect(await applyCharge(world, member, 1, charge)).toBe("applied");
      expect(await read(world, member, 2, status)).toEqual(expected);
    },
  );

  test("restores role and membership when the dispute is won", async ({ world }) => {
    const member = await world.newcomer();
    const role =
      "select role, private.has_live_membership(id) as live from public.profiles where id = $1";
    await read(world, member, 1);
    expect(await world.one("owner", role, [member])).toEqual({ role: "mentor", live: true });
    await applyCharge(world, member, 2, { dispute: "open" });
    await read(world, member, 3);
    expect(await world.one("owner", role, [member])).toEqual({ role: "student", live: false });
    await applyCharge(world, member, 4, { dispute: "won" });
    await read(world, member, 5);
    expect(await world.one("owner", role, [member])).toEqual({ role: "mentor", live: true });
  });

  test.for([
    ["of the current period", {}, null],
    ["that was given back, too", { is_refunded: true, amount_refunded: 10_000 }, "refunded"],
    [
      "of a period that is over",
      { period_start: periodStart - 9, period_end: periodStart },
      "refunded",
    ],
    ["of a period to come", { period_start: periodStart + 9 }, "refunded"],
    ["no later than the refunded one", { period_start: periodStart - 600 }, "refunded"],
    ["for no period", { period_start: null, period_end: null }, "refunded"],
  ] as [string, Charge, string | null][])(
    "counts beside another payment %s",
    async ([, other, hold], { world }) => {
      const member = await world.newcomer();
      // The old plan's payment reaches into the period that began when the price was changed.
      await applyCharge(world, member, 1, { period_start: periodStart - 500, is_refunded: true });
      await applyCharge(world, member, 2, {
        charge_id: `ch_new_${member}`,
        period_start: periodStart,
        ...other,
      });
      expect(await read(world, member, 3)).toMatchObject({ hold });
    },
  );

  test("is read in any order: an older reading changes nothing", async ({ world }) => {
    const member = await world.newcomer();
    expect(await applyCharge(world, member, 5, { dispute: "won" })).toBe("applied");
    expect(await applyCharge(world, member, 4, { dispute: "open" })).toBe("stale");
    expect(await read(world, member, 6)).toEqual({ status: "active", hold: null });
    const unknownCharge = { charge_id: "ch_x", customer_id: "cus_x", records: [] };
    const sql = "select public.billing_apply_charge(1, $1) as outcome";
    expect(await world.one("service_role", sql, [JSON.stringify(unknownCharge)])).toEqual({
      outcome: "unknown_customer",
    });
  });
});

describe("the best of several prices on one subscription", () => {
  test("counts in any position, and a price without a plan gives no membership", async ({
    world,
  }) => {
    const member = await world.newcomer();
    const items = (...prices: string[]) =>
      JSON.stringify({
        subscription_id: `sub_${member}`,
        customer_id: `cus_${member}`,
        status: "active",
        cancel_at_period_end: false,
        created: 1,
        items: prices.map((price_id) => ({
          price_id,
          current_period_start: 1,
          current_period_end: 2,
        })),
      });
    await customerOf(world, member);
    const state = `select s.price_id, p.role, private.has_live_membership(p.id) as live
      from public.profiles p, public.stripe_subscriptions s where p.id = $1 and s.customer_id = 'cus_' || $1`;
    const apply = "select public.billing_apply_subscription(public.billing_next_ticket(), $1)";
    const both = items("price_student_access", "price_mentor_access");
    await world.run("service_role", apply, [both]);
    expect(await world.one("owner", state, [member])).toEqual({
      price_id: "price_mentor_access",
      role: "mentor",
      live: true,
    });
    await world.run("service_role", apply, [items("price_other", "price_student_access")]);
    expect(await world.one("owner", state, [member])).toMatchObject({
      role: "student",
      live: true,
    });
    await world.run("service_role", apply, [items("price_other")]);
    expect(await world.one("owner", state, [member])).toEqual({
      price_id: "price_other",
      role: "student",
      live: false,
    });
  });
});

describe("payment records", () => {
  test("hold every payment, refund and dispute state once, and are append-only", async ({
    world,
  }) => {
    const member = await world.newcomer();
    for (const [ticket, dispute] of [
      [1, null],
      [2, "open"],
      [3, "open"],
      [4, "lost"],
    ] as const) {
      await applyCharge(world, member, ticket, { dispute });
    }
    expect(await world.run("owner", records, [`cus_${member}`])).toEqual([
      { kind: "payment", provider_id: `ch_${member}`, status: "succeeded" },
      { kind: "dispute", provider_id: `du_${member}`, status: "open" },
      { kind: "dispute", provider_id: `du_${member}`, status: "lost" },
    ]);
    await world.refused("owner", "P0001", "update private.payment_records set amount = 0");
    await world.refused("owner", "P0001", "delete from private.payment_records");
  });

  test("of no subscription are exported, and go with the account; the books stay", async ({
    world,
  }) => {
    const member = await world.newcomer();
    await applyCharge(world, member, 1, { subscription_id: null });
    const { part } = await world.one("owner", "select private.export_part_billing($1) as part", [
      member,
    ]);
    expect(part).toMatchObject({
      billing_charges: [{ charge_id: `ch_${member}`, subscription_id: null }],
      payment_records: [{ provider_id: `ch_${member}` }],
    });
    await world.run("owner", "delete from auth.users where id = $1", [member]);
    const charges = "select charge_id from private.billing_charges where charge_id = $1";
    expect(await world.run("owner", charges, [`ch_${member}`])).toEqual([]);
    expect(await world.run("owner", records, [`cus_${member}`])).toHaveLength(1);
  });

  test("give the receipt brand and digits of one card: of the payment that was kept", async ({
    world,
  }) => {
    const member = await world.newcomer();
    const invoice = `in_${member}`;
    const snapshot = {
      invoice_id: invoice,
      customer_id: await customerOf(world, member),
      status: "paid",
      currency: "gbp",
      total: 10_000,
      starting_balance: 0,
      amount_due: 10_000,
      amount_paid: 10_000,
      lines: [],
      attempt_count: 1,
      issued: 1,
    };
    await world.run("service_role", "select public.billing_apply_invoice(1, $1)", [
      JSON.stringify(snapshot),
    ]);
    const paidWith = async (ticket: number, charge: Charge) =>
      await applyCharge(world, member, ticket, { invoice_id: invoice, amount: 10_000, ...charge });
    const receipt = "select card_brand, card_last4 from public.invoices where invoice_id = $1";
    const visa = { charge_id: `ch_visa_${member}`, card_brand: "visa", card_last4: "1111" };
    await paidWith(2, visa);
    await paidWith(3, { charge_id: `ch_amex_${member}`, card_brand: "amex", card_last4: "9999" });
    expect(await world.one(member, receipt, [invoice])).toEqual({
      card_brand: "amex",
      card_last4: "9999",
    });
    // Not even an administrator reads it here: the console has calls of its own.
    for (const other of [await world.member(), await world.admin()]) {
      expect(await world.run(other, receipt, [invoice])).toEqual([]);
    }
    await paidWith(4, {
      charge_id: `ch_amex_${member}`,
      card_brand: "amex",
      card_last4: "9999",
      is_refunded: true,
    });
    expect(await world.one(member, receipt, [invoice])).toEqual({
      card_brand: "visa",
      card_last4: "1111",
    });
  });

  test("are closed to members, administrators and visitors", async ({ world }) => {
    const member = await world.member();
    for (const actor of [member, await world.admin(), "anon", "service_role"]) {
      for (const table of ["payment_records", "billing_charges"]) {
        await world.refused(actor, "42501", `select * from private.${table}`);
        await world.refused(actor, "42501", `delete from private.${table}`);
        await world.refused(
          actor,
          "42501",
          `insert into private.${table} (charge_id) values ('ch_forged')`,
        );
      }
    }
    for (const actor of [member, "anon"]) {
      for (const call of [
        "private.billing_apply_charge(1, '{}')",
        "private.billing_catalogue()",
        "private.billing_known_charges('{}')",
        "private.billing_own_purchases('{}')",
        "private.billing_flag('cus', 'several_subscriptions', '{}')",
        "private.billing_hold('sub', 0)",
      ]) {
        await world.refused(actor, "42501", `select ${call}`);
      }
    }
    const forged = "update public.stripe_subscriptions set hold = null, status = 'active'";
    await world.refused(member, "42501", forged);
  });

  test("flag an account once", async ({ world }) => {
    const member = await world.newcomer();
    const customer = await customerOf(world, member);
    const flag = "select public.billing_flag($1, 'several_subscriptions', '{}') as first";
    expect(await world.one("service_role", flag, [customer])).toEqual({ first: true });
    expect(await world.one("service_role", flag, [customer])).toEqual({ first: false });
    expect(await world.one("service_role", flag, ["cus_nobody"])).toEqual({ first: false });
    await world.refused("service_role", "23514", flag.replace("several_subscriptions", "mood"), [
      customer,
    ]);
    const entries =
      "select action, detail ->> 'reason' as reason from private.audit_log where subject = $1";
    expect(await world.run("owner", entries, [member])).toEqual([
      { action: "billing.flagged", reason: "several_subscriptions" },
    ]);
  });
});
