import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { test, type World } from "./world.ts";

const begin = "select public.admin_begin_refund($1, $2, $3, $4) as request";
const list = "select payment_id, state, refunded_pence from public.admin_payments(search => $1)";

interface Payment {
  id: string;
  member: string;
}

let ticket = 1_000_000;

/** A payment of £50 as the webhook would write it. */
async function pay(
  world: World,
  member: string,
  { at = "2020-05-05T12:00:00Z", ...charge }: Record<string, unknown> & { at?: string } = {},
): Promise<Payment> {
  const customer = `cus_${member}`;
  await world.run("service_role", "select public.billing_record_customer($1, $2)", [
    member,
    customer,
  ]);
  const id = `ch_${randomUUID().replaceAll("-", "")}`;
  const snapshot = {
    charge_id: id,
    customer_id: customer,
    subscription_id: `sub_${member}`,
    currency: "gbp",
    amount: 5000,
    amount_refunded: 0,
    is_refunded: false,
    records: [
      {
        kind: "payment",
        id,
        status: "succeeded",
        amount: 5000,
        created: Date.parse(at) / 1000,
      },
    ],
    ...charge,
  };
  ticket += 1;
  await world.run("service_role", "select public.billing_apply_charge($1, $2)", [
    ticket,
    JSON.stringify(snapshot),
  ]);
  return { id, member };
}

/** Everything about money that the console reads. */
const reads = [
  "select * from public.admin_payments()",
  "select * from public.admin_refunds()",
  "select * from public.admin_unfinished_refunds()",
  "select * from public.admin_disputes()",
  "select * from public.admin_failed_events()",
  "select * from public.admin_money_figures()",
  "select public.admin_export_payments('2020-01-01', '2020-02-01')",
  "select public.admin_require_verified()",
];

describe("the payments", () => {
  test("and every figure about money are for administrators with a second factor only", async ({
    world,
  }) => {
    const { id } = await pay(world, await world.member());
    const callers = [
      ["anon", "42501"],
      [await world.member(), "FF002"],
      [await world.member("mentor-access"), "FF002"],
      [await world.plainAdmin(), "FF005"],
    ] as const;
    for (const [caller, code] of callers) {
      for (const sql of reads) await world.refused(caller, code, sql);
      await world.refused(caller, code, begin, [randomUUID(), id, 5000, "mine"]);
    }
    const admin = await world.admin();
    for (const sql of reads) await world.run(admin, sql);
    // Tables and server functions stay closed to administrators, too.
    for (const sql of [
      "select * from private.payments",
      "select * from private.refund_requests",
      "select public.billing_end_refund(null, null, 'made', null, null)",
      "select public.admin_audit_money(null, 'coupon.created', null, '{}')",
      "select public.billing_clear_failure('evt_1')",
      "select public.billing_note_failure('evt_1', 'x', 'x')",
      "select public.end_complimentary_memberships()",
    ]) {
      await world.refused(admin, "42501", sql);
    }
  });

  test("are found by part of a name, an address or an invoice number, as text and not as a pattern", async ({
    world,
  }) => {
    const admin = await world.admin();
    const ada = await world.member();
    const grace = await world.newcomer();
    await world.run("owner", "update public.profiles set last_name = '100%_Byron' where id = $1", [
      ada,
    ]);
    const [first, second] = [
      await pay(world, ada, { invoice_id: `in_${ada}` }),
      await pay(world, grace),
    ];
    const number = `INV-${ada.slice(0, 8)}`;
    await world.run("service_role", "select public.billing_apply_invoice(1, $1)", [
      JSON.stringify({
        invoice_id: `in_${ada}`,
        customer_id: `cus_${ada}`,
        number,
        status: "paid",
        currency: "gbp",
        total: 5000,
        starting_balance: 0,
        amount_due: 5000,
        amount_paid: 5000,
        lines: [],
        attempt_count: 1,
        issued: 1,
      }),
    ]);
    const found = async (search: string) =>
      (await world.run(admin, list, [search])).map((row) => row["payment_id"]);
    expect(await found(grace.slice(0, 13))).toEqual([second.id]);
    expect(await found(number.toLowerCase())).toEqual([first.id]);
    expect(await found("00%_bY")).toEqual([first.id]);
    expect(await found("0%0%_by")).toEqual([]);
    expect(await found(`nothing-${randomUUID()}`)).toEqual([]);
  });

  test("are paged by time, filtered by state, and name what was refunded", async ({ world }) => {
    const admin = await world.admin();
    const ada = await world.member();
    const at = (minute: number) => `2020-05-05T12:0${minute}:00Z`;
    const paid = await pay(world, ada, { at: at(1) });
    const part = await pay(world, ada, { at: at(2), amount_refunded: 100 });
    const whole = await pay(world, ada, { at: at(2), amount_refunded: 5000, is_refunded: true });
    const disputed = await pay(world, ada, { at: at(3), dispute: "open" });
    const page = `select payment_id, paid_at::text as at, state from public.admin_payments(
      search => $1, before_time => $2, before_id => $3, page_size => 1)`;
    const seen: unknown[] = [];
    let cursor: [string | null, string | null] = [null, null];
    for (;;) {
      const [row] = await world.run(admin, page, [ada, ...cursor]);
      if (row === undefined) break;
      seen.push(row["payment_id"]);
      cursor = [String(row["at"]), String(row["payment_id"])];
    }
    expect(seen).toHaveLength(4);
    expect(seen[0]).toBe(disputed.id);
    expect(seen[3]).toBe(paid.id);
    const states = Object.fromEntries(
      (await world.run(admin, list, [ada])).map((row) => [row["payment_id"], row["state"]]),
    );
    expect(states).toEqual({
      [paid.id]: "paid",
      [part.id]: "partly_refunded",
      [whole.id]: "refunded",
      [disputed.id]: "disputed",
    });
    const filtered = `select payment_id from public.admin_payments(search => $1, state => 'refunded')`;
    expect(await world.run(admin, filtered, [ada])).toEqual([{ payment_id: whole.id }]);
  });

  test("are exported by their period, which stands in the audit log", async ({ world }) => {
    const admin = await world.admin();
    const ada = await world.member();
    const inside = await pay(world, ada, { at: "1999-01-31T23:59:59Z" });
    await pay(world, ada, { at: "1999-02-01T00:00:00Z" });
    const sql = "select public.admin_export_payments('1999-01-01Z', '1999-02-01Z') as rows";
    const { rows } = await world.one(admin, sql);
    expect(rows).toMatchObject([{ payment_id: inside.id, amount_pence: 5000, user_id: ada }]);
    const log =
      "select detail from private.audit_log where actor = $1 and action = 'payments.exported'";
    expect(await world.run("owner", log, [admin])).toMatchObject([{ detail: { count: 1 } }]);
    await world.refused(
      admin,
      "FF247",
      "select public.admin_export_payments('1999-02-01', '1999-01-01')",
    );
  });
});

describe("the sums", () => {
  test("count pounds only, and a refund by the latest that is known of it", async ({ world }) => {
    const [admin, ada] = [await world.admin(), await world.member()];
    const figures = async () =>
      (await world.run(admin, "select * from public.admin_money_figures()"))[0] ?? {};
    const before = await figures();
    const at = Math.floor(Date.now() / 1000);
    const record = (kind: string, status: string, amount: number, id: string = randomUUID()) => ({
      kind,
      id,
      status,
      amount,
      created: at,
    });
    const failing = randomUUID();
    await pay(world, ada, {
      records: [
        record("payment", "succeeded", 5000),
        record("refund", "succeeded", 1000),
        record("refund", "succeeded", 700, failing),
        record("refund", "failed", 700, failing),
        record("dispute", "warning_needs_response", 5000),
      ],
    });
    await pay(world, ada, {
      currency: "usd",
      records: [record("payment", "succeeded", 900), record("refund", "succeeded", 900)],
    });
    const after = await figures();
    const grown = (name: string) => Number(after[name]) - Number(before[name]);
    expect([grown("revenue_pence"), grown("refunded_pence"), grown("open_disputes")]).toEqual([
      5000, 1000, 1,
    ]);
    const { billing } = await world.one("owner", "select private.member_billing($1) as billing", [
      ada,
    ]);
    expect(billing).toMatchObject({ paid_pence: 5000, refunded_pence: 1000 });
  });
});

describe("a refund", () => {
  test("is recorded once under its request, with what was before and after", async ({ world }) => {
    const [admin, ada] = [await world.admin(), await world.member()];
    const { id } = await pay(world, ada, { amount_refunded: 1000 });
    const request = randomUUID();
    for (let time = 1; time <= 2; time += 1) {
      const row = await world.one(admin, begin, [request, id, 1500, " Moved away "]);
      expect(row["request"]).toMatchObject({ charge_id: id, amount_pence: 1500, state: "started" });
    }
    await world.refused(admin, "FF251", begin, [request, id, 1600, "Moved away"]);
    const end = "select public.billing_end_refund($1, $2, $3, $4, null)";
    await world.run("service_role", end, [request, admin, "unclear", null]);
    await world.run("service_role", end, [request, admin, "made", "re_1"]);
    await world.run("service_role", end, [request, admin, "unclear", null]);
    const log = await world.run(
      "owner",
      "select action, detail from private.audit_log where subject = $1 and actor = $2 order by id",
      [ada, admin],
    );
    expect(log).toMatchObject([
      {
        action: "payment.refund_started",
        detail: {
          before: { refunded_pence: 1000 },
          after: { refunded_pence: 2500 },
          reason: "Moved away",
        },
      },
      { action: "payment.refund_unclear" },
      { action: "payment.refund_made", detail: { refund: "re_1", amount_pence: 1500 } },
    ]);
  });

  test("needs a payment, a reason, an amount that is left, and no dispute", async ({ world }) => {
    const [admin, ada] = [await world.admin(), await world.member()];
    const { id } = await pay(world, ada, { amount_refunded: 1000 });
    const disputed = await pay(world, ada, { dispute: "open" });
    for (const [code, payment, amount, reason] of [
      ["FF250", "ch_none", 1, "why"],
      ["FF240", id, 1, " "],
      ["FF253", id, 0, "why"],
      ["FF253", id, -1, "why"],
      ["FF253", id, null, "why"],
      ["FF253", id, 4001, "why"],
      ["FF254", disputed.id, 1, "why"],
    ] as const) {
      await world.refused(admin, code, begin, [randomUUID(), payment, amount, reason]);
    }
    await world.run(admin, begin, [randomUUID(), id, 4000, "why"]);
  });

  test("waits for the end of another one of the same payment, which is listed until then", async ({
    world,
  }) => {
    const [admin, other, ada] = [await world.admin(), await world.admin(), await world.member()];
    const [{ id }, elsewhere] = [await pay(world, ada), await pay(world, ada)];
    const first = randomUUID();
    const unfinished =
      "select request_id from public.admin_unfinished_refunds() where payment_id = $1";
    const end = "select public.billing_end_refund($1, $2, $3, null, null)";
    await world.run(admin, begin, [first, id, 2000, "why"]);
    for (const state of ["started", "unclear"]) {
      if (state === "unclear") await world.run("service_role", end, [first, admin, state]);
      await world.refused(other, "FF255", begin, [randomUUID(), id, 1000, "why"]);
      expect(await world.run(other, unfinished, [id])).toEqual([{ request_id: first }]);
    }
    await world.run(admin, begin, [randomUUID(), elsewhere.id, 1000, "why"]);
    // The same request goes on.
    await world.run(other, begin, [first, id, 2000, "why"]);
    await world.run("service_role", end, [first, admin, "refused"]);
    expect(await world.run(other, unfinished, [id])).toEqual([]);
    await world.run(other, begin, [randomUUID(), id, 1000, "why"]);
    // A request that was refused is not begun again beside the new one.
    await world.refused(admin, "FF255", begin, [first, id, 2000, "why"]);
  });

  test("of an administrator's own payment is for another administrator", async ({ world }) => {
    const [admin, other] = [await world.admin(), await world.admin()];
    const { id } = await pay(world, admin);
    await world.refused(admin, "FF252", begin, [randomUUID(), id, 5000, "mine"]);
    await world.run(other, begin, [randomUUID(), id, 5000, "why"]);
  });
});

describe("failed events", () => {
  test("are listed until they are applied", async ({ world }) => {
    const admin = await world.admin();
    const event = `evt_${randomUUID()}`;
    const note = "select public.billing_note_failure($1, 'invoice.paid', $2)";
    await world.run("service_role", note, [event, "first"]);
    await world.run("service_role", note, [event, "second"]);
    const sql = "select attempts, last_error from public.admin_failed_events() where event_id = $1";
    expect(await world.run(admin, sql, [event])).toEqual([{ attempts: 2, last_error: "second" }]);
    await world.run("owner", "select private.billing_note_event($1, 'invoice.paid')", [event]);
    expect(await world.run(admin, sql, [event])).toEqual([]);
  });
});
