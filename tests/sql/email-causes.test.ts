import { describe, expect } from "vitest";
import { test, type Row, type World } from "./world.ts";

const periodEnd = 1_802_592_000;

/** Writes a reading of the provider twice, as a repeated event or a reconciliation would. */
async function read(world: World, member: string, reading: Row, sub = "sub"): Promise<void> {
  const customer = `cus_${member}`;
  await world.run("service_role", "select public.billing_record_customer($1, $2)", [
    member,
    customer,
  ]);
  const snapshot = {
    subscription_id: `${sub}_${member}`,
    customer_id: customer,
    status: "active",
    price_id: "price_student_access",
    current_period_start: 1_800_000_000,
    current_period_end: periodEnd,
    cancel_at_period_end: false,
    payment_method_brand: "visa",
    payment_method_last4: "4242",
    created: 1_800_000_000,
    ...reading,
  };
  for (const _ of [1, 2]) {
    const sql = "select public.billing_apply_subscription(public.billing_next_ticket(), $1)";
    await world.run("service_role", sql, [JSON.stringify(snapshot)]);
  }
}

/** Writes a reading of a payment twice. */
async function charge(world: World, member: string, records: Row[], created?: number) {
  const happened = created ?? Math.floor(Date.now() / 1000);
  const snapshot = {
    charge_id: `ch_${member}`,
    customer_id: `cus_${member}`,
    subscription_id: `sub_${member}`,
    currency: "gbp",
    invoice_id: `in_${member.replaceAll("-", "")}`,
    amount_refunded: 0,
    is_refunded: false,
    period_start: null,
    period_end: null,
    dispute: null,
    records: records.map((record) => ({ reason: null, created: happened, ...record })),
  };
  for (const _ of [1, 2]) {
    const sql = "select public.billing_apply_charge(public.billing_next_ticket(), $1)";
    await world.run("service_role", sql, [JSON.stringify(snapshot)]);
  }
}

/** The e-mails of an account without its welcome, oldest first. */
async function emails(world: World, member: string): Promise<Row[]> {
  const sql = `select template, data from private.email_outbox
    where user_id = $1 and template <> 'welcome' order by created_at`;
  return await world.run("owner", sql, [member]);
}

describe("a membership", () => {
  test("that begins is welcomed, once in a member's life", async ({ world }) => {
    const ada = await world.newcomer();
    const welcomes =
      "select data from private.email_outbox where user_id = $1 and template = 'welcome'";
    await read(world, ada, { status: "incomplete" });
    expect(await world.run("owner", welcomes, [ada])).toEqual([]);
    await read(world, ada, {});
    await read(world, ada, { status: "canceled" });
    await read(world, ada, { created: 1_800_000_100 }, "again");
    expect(await world.run("owner", welcomes, [ada])).toEqual([
      { data: { plan: "Student Access" } },
    ]);
  });

  test("whose payment fails is told once a period", async ({ world }) => {
    const ada = await world.newcomer();
    await read(world, ada, {});
    await read(world, ada, { status: "past_due" });
    await read(world, ada, {});
    await read(world, ada, { status: "past_due" });
    const failed = {
      template: "payment_failed",
      data: { plan: "Student Access", subscription_id: `sub_${ada}`, card_last4: "4242" },
    };
    expect(await emails(world, ada)).toEqual([failed]);
    await read(world, ada, {});
    await read(world, ada, { status: "past_due", current_period_start: periodEnd });
    expect(await emails(world, ada)).toEqual([failed, failed]);
  });

  test("that is cancelled is told each time, and that it has ended once", async ({ world }) => {
    const ada = await world.newcomer();
    await read(world, ada, {});
    await read(world, ada, { cancel_at_period_end: true });
    await read(world, ada, {});
    await read(world, ada, { cancel_at_period_end: true });
    await read(world, ada, { status: "canceled", cancel_at_period_end: true });
    const ends_at = new Date(periodEnd * 1000).toISOString().replace(".000Z", "+00:00");
    const cancelled = {
      template: "membership_cancelled",
      data: { plan: "Student Access", ends_at },
    };
    expect(await emails(world, ada)).toEqual([
      cancelled,
      cancelled,
      { template: "membership_ended", data: { plan: "Student Access" } },
    ]);
  });

  test("that ends unpaid says so, and one that never began says nothing", async ({ world }) => {
    const [ada, ben] = [await world.newcomer(), await world.newcomer()];
    await read(world, ada, {});
    await read(world, ada, { status: "past_due" });
    await read(world, ada, { status: "canceled" });
    expect((await emails(world, ada)).at(-1)).toEqual({
      template: "membership_ended",
      data: { plan: "Student Access", why: "unpaid" },
    });
    await read(world, ben, { status: "incomplete" });
    await read(world, ben, { status: "incomplete_expired" });
    expect(await emails(world, ben)).toEqual([]);
  });

  test("whose plan changes is told, and not that the old subscription ended", async ({ world }) => {
    const [ada, ben] = [await world.newcomer(), await world.newcomer()];
    await read(world, ada, {});
    await read(world, ada, { price_id: "price_mentor_access" });
    expect(await emails(world, ada)).toMatchObject([
      { template: "plan_changed", data: { from: "Student Access", plan: "Mentor Access" } },
    ]);
    await read(world, ben, {});
    await read(world, ben, { price_id: "price_mentor_access", created: 1_800_000_100 }, "mentor");
    await read(world, ben, { status: "canceled" });
    expect(await emails(world, ben)).toEqual([]);
  });

  test("that is known only as ended is told of, unless it ended long ago", async ({ world }) => {
    const [ada, ben] = [await world.newcomer(), await world.newcomer()];
    const now = Math.floor(Date.now() / 1000);
    await read(world, ada, { status: "canceled", ended: now - 86_400 });
    await read(world, ben, { status: "canceled", ended: now - 40 * 86_400 });
    expect(await emails(world, ada)).toMatchObject([{ template: "membership_ended" }]);
    expect(await emails(world, ben)).toEqual([]);
  });

  test("that ended is told of although another one has begun since, in either order", async ({
    world,
  }) => {
    const [ada, ben] = [await world.newcomer(), await world.newcomer()];
    const ended = Math.floor(Date.now() / 1000) - 86_400;
    const over = { status: "canceled", created: ended - 86_400, ended };
    for (const each of [ada, ben]) await read(world, each, { created: over.created });
    await read(world, ada, over);
    await read(world, ada, { created: ended + 60 }, "again");
    await read(world, ben, { created: ended + 60 }, "again");
    await read(world, ben, over);
    for (const each of [ada, ben]) {
      expect(await emails(world, each)).toMatchObject([{ template: "membership_ended" }]);
    }
  });

  test("that gave way is not told of when the other one ends, too", async ({ world }) => {
    const ada = await world.newcomer();
    const now = Math.floor(Date.now() / 1000);
    const [first, second] = [now - 86_400, now - 43_200];
    await read(world, ada, { created: first });
    await read(world, ada, { price_id: "price_mentor_access", created: second }, "mentor");
    const gaveWay = { status: "canceled", created: first, ended: second + 60 };
    await read(world, ada, gaveWay);
    expect(await emails(world, ada)).toEqual([]);
    const ends = { price_id: "price_mentor_access", created: second, ended: now };
    await read(world, ada, { ...ends, status: "canceled" }, "mentor");
    await read(world, ada, gaveWay);
    expect(await emails(world, ada)).toMatchObject([
      { template: "membership_ended", data: { plan: "Mentor Access" } },
    ]);
  });

  test("to something that is no plan sends nothing", async ({ world }) => {
    const ada = await world.newcomer();
    await read(world, ada, { price_id: "price_of_a_mug" });
    await read(world, ada, { price_id: "price_of_a_mug", status: "canceled" });
    expect(
      await world.run("owner", "select from private.email_outbox where user_id = $1", [ada]),
    ).toEqual([]);
  });
});

describe("a payment", () => {
  const paid = { kind: "payment", id: "ch_paid", status: "succeeded", amount: 5000 };

  test("has one receipt, and none when it failed or was found years later", async ({ world }) => {
    const [ada, ben, carl] = [
      await world.newcomer(),
      await world.newcomer(),
      await world.newcomer(),
    ];
    for (const each of [ada, ben, carl]) await read(world, each, {});
    await charge(world, ada, [{ ...paid, id: `ch_${ada}` }]);
    expect(await emails(world, ada)).toMatchObject([
      {
        template: "receipt",
        data: {
          amount: 5000,
          currency: "gbp",
          number: `ch_${ada}`,
          plan: "Student Access",
          invoice_id: `in_${ada.replaceAll("-", "")}`,
        },
      },
    ]);
    await charge(world, ben, [{ ...paid, id: `ch_${ben}`, status: "failed" }]);
    expect(await emails(world, ben)).toEqual([]);
    await charge(world, carl, [{ ...paid, id: `ch_${carl}` }], 1_500_000_000);
    expect(await emails(world, carl)).toEqual([]);
  });
});

describe("a refund", () => {
  const refund = (member: string, part: string, status = "succeeded") => ({
    kind: "refund",
    id: `re_${part}_${member}`,
    status,
    amount: 1500,
    reason: null,
  });

  test("is told once each, when it was made, and not years later", async ({ world }) => {
    const [ada, ben] = [await world.newcomer(), await world.newcomer()];
    for (const each of [ada, ben]) await read(world, each, {});
    await charge(world, ada, [refund(ada, "a", "pending"), refund(ada, "b", "failed")]);
    expect(await emails(world, ada)).toEqual([]);
    await charge(world, ada, [refund(ada, "a"), refund(ada, "c")]);
    const told = {
      template: "payment_refunded",
      data: { amount: 1500, currency: "gbp", number: `ch_${ada}`, plan: "Student Access" },
    };
    expect(await emails(world, ada)).toMatchObject([told, told]);
    await charge(world, ben, [refund(ben, "a")], 1_500_000_000);
    expect(await emails(world, ben)).toEqual([]);
  });
});

describe("a dispute", () => {
  const dispute = (member: string, status: string) => ({
    kind: "dispute",
    id: `du_${member}`,
    status,
    amount: 5000,
    reason: "fraudulent",
  });
  /** What one administrator is told about the disputes of one member. */
  const reports = async (world: World, admin: string, member: string) =>
    (await emails(world, admin)).filter(({ data }) => (data as Row)["dispute"] === `du_${member}`);

  test("is told to the member, its end as well, and once to each administrator", async ({
    world,
  }) => {
    const [ada, admin, other] = [await world.newcomer(), await world.admin(), await world.admin()];
    await read(world, ada, {});
    await charge(world, ada, [dispute(ada, "needs_response")]);
    await charge(world, ada, [dispute(ada, "under_review")]);
    await charge(world, ada, [dispute(ada, "won")]);
    expect(await emails(world, ada)).toMatchObject([
      { template: "payment_disputed", data: { amount: 5000, number: `ch_${ada}` } },
      { template: "dispute_won" },
    ]);
    for (const each of [admin, other]) {
      expect(await reports(world, each, ada)).toEqual([
        {
          template: "dispute_opened",
          data: expect.objectContaining({ amount: 5000, reason: "fraudulent" }) as unknown,
        },
      ]);
    }
  });

  test("that was lost before it was read is told to administrators; an inquiry is told to none", async ({
    world,
  }) => {
    const [ada, ben, admin] = [await world.newcomer(), await world.newcomer(), await world.admin()];
    for (const each of [ada, ben]) await read(world, each, {});
    await charge(world, ada, [dispute(ada, "lost")]);
    expect(await emails(world, ada)).toEqual([]);
    expect(await reports(world, admin, ada)).toHaveLength(1);
    await charge(world, ben, [dispute(ben, "warning_needs_response")]);
    await charge(world, ben, [dispute(ben, "warning_closed")]);
    expect(await emails(world, ben)).toEqual([]);
    expect(await reports(world, admin, ben)).toEqual([]);
  });
});

describe("a card that expires within a month", () => {
  const setExpiry = `update public.stripe_subscriptions
    set payment_method_expires = to_char(now() at time zone 'utc' + $2::interval, 'YYYY-MM'), payment_method_last4 = $3
    where customer_id = 'cus_' || $1`;

  test("is told once, and a later or an earlier one is not", async ({ world }) => {
    const [soon, later, gone] = ["0 days", "62 days", "-31 days"];
    const [ada, ben, carl, dora] = [
      await world.newcomer(),
      await world.newcomer(),
      await world.newcomer(),
      await world.newcomer(),
    ];
    for (const each of [ada, ben, carl, dora]) await read(world, each, {});
    await read(world, dora, { status: "canceled" });
    const queue = "select public.queue_card_reminders()";
    await world.run("owner", setExpiry, [ada, soon, "1111"]);
    await world.run("owner", setExpiry, [ben, later, "1111"]);
    await world.run("owner", setExpiry, [carl, gone, "1111"]);
    await world.run("owner", setExpiry, [dora, soon, "1111"]);
    for (const _ of [1, 2]) await world.run("service_role", queue);
    const reminders = async (member: string) =>
      (await emails(world, member)).filter((row) => row["template"] === "card_expiring");
    const expires = new Date().toISOString().slice(0, 7);
    expect(await reminders(ada)).toEqual([
      { template: "card_expiring", data: { card_last4: "1111", expires } },
    ]);
    for (const each of [ben, carl, dora]) expect(await reminders(each)).toEqual([]);
    await world.run("owner", setExpiry, [ada, soon, "2222"]);
    await world.run("service_role", queue);
    expect(await reminders(ada)).toHaveLength(2);
  });
});
