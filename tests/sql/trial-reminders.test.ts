import { expect } from "vitest";
import { test, type Row } from "./world.ts";

test("free days that turn into payments are told once: a week before, or three days of a short trial", async ({
  world,
}) => {
  const queue = "select public.queue_trial_reminders()";
  const told = async (length: number, left: string, differs: Row = {}) => {
    const member = await world.account();
    await world.subscribe(member, "student-access", "trialing");
    const { cancel_at_period_end: isEnding = false, status = "trialing" } = differs;
    await world.run(
      "owner",
      `update public.stripe_subscriptions s set current_period_end = extract(epoch from now() + $2::interval), status = $4,
         cancel_at_period_end = $5,
         current_period_start = extract(epoch from now() + $2::interval - make_interval(days => $3))
       from public.stripe_customers c where c.customer_id = s.customer_id and c.user_id = $1`,
      [member, left, length, status, isEnding],
    );
    for (const _ of [1, 2]) await world.run("service_role", queue);
    return await world.run(
      "owner",
      "select data from private.email_outbox where user_id = $1 and template = 'trial_ending'",
      [member],
    );
  };
  const [email] = await told(14, "7 days 23 hours");
  expect(email?.["data"]).toMatchObject({ plan: "Student Access", amount: 5000, currency: "gbp" });
  expect(await told(7, "3 days 23 hours")).toHaveLength(1);
  expect(await told(2, "1 day")).toHaveLength(1);
  expect(await told(14, "8 days 1 hour")).toEqual([]);
  expect(await told(7, "5 days")).toEqual([]);
  expect(await told(14, "-1 hour")).toEqual([]);
  expect(await told(14, "3 days", { status: "active" })).toEqual([]);
  expect(await told(14, "3 days", { cancel_at_period_end: true })).toEqual([]);
  for (const caller of ["anon", await world.member()]) await world.refused(caller, "42501", queue);
});
