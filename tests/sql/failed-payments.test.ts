import { describe, expect } from "vitest";
import { failRenewal, readInvoice, readMembership } from "./owed-world.ts";
import { test } from "./world.ts";

const list = "select * from public.admin_failed_payments() where user_id = $1";
const send = "select public.admin_send_payment_link($1) as sent";
const begin = "select public.admin_begin_payment_retry($1) as begun";

describe("failed payments", () => {
  test("are for administrators with a second factor only", async ({ world }) => {
    const ada = await world.newcomer();
    const invoice = await failRenewal(world, ada);
    const callers = [
      ["anon", "42501"],
      [await world.member(), "FF002"],
      [await world.member("mentor-access"), "FF002"],
      [await world.plainAdmin(), "FF005"],
    ] as const;
    for (const [caller, code] of callers) {
      await world.refused(caller, code, "select * from public.admin_failed_payments()");
      await world.refused(caller, code, send, [invoice]);
      await world.refused(caller, code, begin, [invoice]);
      await world.refused(caller, "42501", "select * from private.invoice_failures");
      await world.refused(caller, "42501", "select * from private.failed_payments");
    }
    const acts = "select from private.audit_log where action like 'payment.%' and subject = $1";
    expect(await world.count("owner", acts, [ada])).toBe(0);
    expect(await world.count(await world.admin(), begin, [invoice])).toBe(1);
  });

  test("name who owes how much, the tries, the next one and the last reason", async ({ world }) => {
    const [admin, ada] = [await world.admin(), await world.newcomer()];
    const invoice = await failRenewal(world, ada, {
      attempt_count: 2,
      next_attempt: 1_800_400_000,
      failure_code: "insufficient_funds",
    });
    expect(await world.one(admin, list, [ada])).toMatchObject({
      invoice_id: invoice,
      amount_pence: "5000",
      currency: "gbp",
      attempts: 2,
      next_attempt_at: new Date(1_800_400_000_000),
      failure_code: "insufficient_funds",
      membership: "past_due",
      email: `${ada}@example.test`,
    });
    // The reason of an earlier try does not outlive it.
    await readInvoice(world, ada, { attempt_count: 3, next_attempt: null });
    expect(await world.one(admin, list, [ada])).toMatchObject({
      attempts: 3,
      next_attempt_at: null,
      failure_code: null,
    });
    await readInvoice(world, ada, { status: "paid", amount_paid: 5000 });
    expect(await world.run(admin, list, [ada])).toEqual([]);
    for (const sql of [send, begin]) await world.refused(admin, "FF277", sql, [invoice]);
  });

  test.for([
    { reason: "subscription_create" },
    { reason: "subscription_update" },
    { status: "void" },
    { attempt_count: 0 },
  ])("leave out what nobody owes: %o", async (reading, { world }) => {
    const [admin, ada] = [await world.admin(), await world.newcomer()];
    const invoice = await failRenewal(world, ada, reading);
    expect(await world.run(admin, list, [ada])).toEqual([]);
    await world.refused(admin, "FF277", begin, [invoice]);
  });

  test("lead the member to the card by e-mail once a day, and it is audited", async ({ world }) => {
    const [admin, ada] = [await world.admin(), await world.newcomer()];
    const invoice = await failRenewal(world, ada);
    expect(await world.one(admin, send, [invoice])).toEqual({ sent: true });
    expect(await world.one(admin, send, [invoice])).toEqual({ sent: false });
    const links = `select template from private.email_outbox where user_id = $1 and cause_key like 'payment_link:%'`;
    expect(await world.run("owner", links, [ada])).toEqual([{ template: "payment_failed" }]);
    const acts = `select actor, detail from private.audit_log where subject = $1 and action = 'payment.link_sent'`;
    expect(await world.run("owner", acts, [ada])).toEqual([{ actor: admin, detail: { invoice } }]);
  });

  test("of a membership that is unpaid for good send no link to a card", async ({ world }) => {
    const [admin, ada] = [await world.admin(), await world.newcomer()];
    const invoice = await failRenewal(world, ada);
    await readMembership(world, ada, { status: "unpaid" });
    await world.refused(admin, "FF279", send, [invoice]);
    expect(await world.count(admin, begin, [invoice])).toBe(1);
  });

  test("are tried again four times a day at most, each on record", async ({ world }) => {
    const [admin, ada] = [await world.admin(), await world.newcomer()];
    const invoice = await failRenewal(world, ada);
    for (let tried = 0; tried < 4; tried += 1) {
      expect((await world.one(admin, begin, [invoice]))["begun"]).toEqual({
        member_id: ada,
        subscription_id: `sub_${ada}`,
      });
    }
    await world.refused(admin, "FF278", begin, [invoice]);
    const acts = `select detail from private.audit_log where subject = $1 and actor = $2 and action = 'payment.retried'`;
    const recorded = await world.run("owner", acts, [ada, admin]);
    expect(recorded).toEqual(
      Array.from({ length: 4 }, () => ({
        detail: { invoice, amount_pence: 5000, currency: "gbp" },
      })),
    );
    await world.run("owner", "alter table private.audit_log disable trigger user");
    await world.run(
      "owner",
      "update private.audit_log set happened_at = now() - interval '25 hours' where subject = $1",
      [ada],
    );
    expect(await world.count(admin, begin, [invoice])).toBe(1);
  });
});
