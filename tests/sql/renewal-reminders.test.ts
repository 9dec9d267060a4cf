import { describe, expect } from "vitest";
import { recordPayment } from "./payment-world.ts";
import { test, type Row } from "./world.ts";

const setRules = "select public.set_billing_rules($1, $2)";

test("a renewal is told of in time, once a period, and only where the rule says so", async ({
  world,
}) => {
  const queue = "select public.queue_renewal_reminders()";
  const admin = await world.admin();
  const told = async (left: string, differs: Row = {}, member?: string) => {
    const ada = member ?? (await world.member());
    const { cancel_at_period_end: isEnding = false, status = "active" } = differs;
    await world.run(
      "owner",
      `update public.stripe_subscriptions s set current_period_end = extract(epoch from now() + $2::interval), status = $3,
         cancel_at_period_end = $4
       from public.stripe_customers c where c.customer_id = s.customer_id and c.user_id = $1`,
      [ada, left, status, isEnding],
    );
    for (const _ of [1, 2]) await world.run("service_role", queue);
    return await world.run(
      "owner",
      "select data from private.email_outbox where user_id = $1 and template = 'renewal_coming' order by id",
      [ada],
    );
  };
  expect(await told("1 day")).toEqual([]);
  await world.run(admin, setRules, ["full", 7]);
  const ada = await world.member();
  const [email] = await told("6 days 23 hours", {}, ada);
  expect(email?.["data"]).toMatchObject({ plan: "Student Access", amount: 5000, currency: "gbp" });
  // The next period is told of again.
  expect(await told("5 days", {}, ada)).toHaveLength(2);
  expect(await told("7 days 1 hour")).toEqual([]);
  expect(await told("-1 hour")).toEqual([]);
  expect(await told("3 days", { status: "past_due" })).toEqual([]);
  expect(await told("3 days", { cancel_at_period_end: true })).toEqual([]);
  await world.run(admin, setRules, ["full", 0]);
  expect(await told("1 day")).toEqual([]);
  for (const caller of ["anon", await world.member()]) await world.refused(caller, "42501", queue);
});

test("the rules are an administrator's, within bounds, and audited", async ({ world }) => {
  const admin = await world.admin();
  for (const given of [
    ["half", 7],
    [null, 7],
    ["full", -1],
    ["full", 31],
    ["full", null],
  ]) {
    await world.refused(admin, "FF276", setRules, given);
  }
  const ada = await world.member("mentor-access");
  await world.refused(ada, "FF002", setRules, ["full", 7]);
  await world.refused("anon", "42501", setRules, ["full", 7]);
  await world.refused(ada, "42501", "update public.billing_rules set withdrawal_refund = 'full'");
  await world.run(admin, setRules, ["proportion", 14]);
  expect(await world.one("anon", "select withdrawal_refund from public.billing_rules")).toEqual({
    withdrawal_refund: "proportion",
  });
  const log =
    "select actor, detail -> 'after' as after from private.audit_log where action = 'billing_rules.edited' and actor = $1";
  expect(await world.run("owner", log, [admin])).toEqual([
    { actor: admin, after: { withdrawal_refund: "proportion", renewal_reminder_days: 14 } },
  ]);
});

describe("the e-mail that confirms a contract", () => {
  test("names the terms that were accepted, with the first payment and no later one", async ({
    world,
  }) => {
    const [admin, ada] = [await world.admin(), await world.newcomer()];
    await world.run("service_role", "select public.billing_accept_terms($1, 1)", [ada]);
    await world.run(admin, "select public.publish_legal_text('terms', 'Anew', 'New')");
    const at = new Date().toISOString().replace(/\.\d+/, "");
    const sent =
      "select data -> 'terms_version' as version from private.email_outbox where user_id = $1 and template = 'receipt' order by 1";
    await recordPayment(world, ada, { at });
    expect(await world.run("owner", sent, [ada])).toEqual([{ version: 1 }]);
    await recordPayment(world, ada, { at });
    expect(await world.run("owner", sent, [ada])).toEqual([{ version: 1 }, { version: null }]);
  });
});

test("the share of an amount for days not used is exact, and never more or less than there is", async ({
  world,
}) => {
  const share = async (amount: number, used: string, days: number) => {
    const sql = `select private.unused_share($1, now() - $2::interval, now() - $2::interval + make_interval(days => $3))::integer as left`;
    return (await world.one("owner", sql, [amount, used, days]))["left"];
  };
  expect(await share(5000, "23 hours", 31)).toBe(5000);
  expect(await share(5000, "1 day", 31)).toBe(5000 - 161);
  expect(await share(5000, "15 days", 30)).toBe(2500);
  expect(await share(5000, "40 days", 30)).toBe(0);
  expect(await share(5000, "-2 days", 30)).toBe(5000);
  expect(await share(5000, "0 days", 0)).toBe(5000);
});
