import { describe, expect } from "vitest";
import { claim, enqueue, makeDue, recipient, queuedEmail } from "./email-world.ts";
import { test } from "./world.ts";

describe("no e-mail goes to", () => {
  const refusals: readonly (readonly [who: string, change: string, why: string])[] = [
    ["a deleted account", "deleted_at = now()", "the account is deleted"],
    ["an unconfirmed address", "email_confirmed_at = null", "the address is not confirmed"],
    ["an account without an address", "email = null", "the account has no address"],
    ["an anonymous account", "is_anonymous = true", "the account has no address"],
  ];
  test.for(refusals)("%s", async ([, change, why], { world }) => {
    const ada = await recipient(world);
    await enqueue(world, ada);
    await world.run("owner", `update auth.users set ${change} where id = $1`, [ada]);
    expect(await claim(world, ada)).toBeUndefined();
    expect(await queuedEmail(world, ada)).toMatchObject({
      status: "skipped",
      last_error: why,
      attempts: 0,
    });
  });

  test("a suspended account, unless it is about money or security", async ({ world }) => {
    const kinds = await world.run("owner", "select name, kind from private.email_templates");
    const outcomes = new Map<string, unknown>();
    for (const { name } of kinds) {
      // Administrators are told of disputes, and cannot be suspended.
      if (name === "dispute_opened") continue;
      const ada = await world.account();
      await world.run(
        "owner",
        "update auth.users set email_confirmed_at = now(), banned_until = now() + interval '1 day' where id = $1",
        [ada],
      );
      await world.subscribe(ada, "student-access", "active");
      await world.run("owner", "delete from private.email_outbox where user_id = $1", [ada]);
      await enqueue(world, ada, String(name), { reason: "Spam" });
      const claimed = await claim(world, ada);
      outcomes.set(
        String(name),
        claimed?.["template"] ?? (await queuedEmail(world, ada))["last_error"],
      );
    }
    const suspended = "the account is suspended";
    expect(Object.fromEntries(outcomes)).toEqual({
      account_suspended: "account_suspended",
      receipt: "receipt",
      payment_failed: "payment_failed",
      renewal_coming: "renewal_coming",
      trial_ending: "trial_ending",
      plan_changed: "plan_changed",
      membership_cancelled: "membership_cancelled",
      membership_ended: "membership_ended",
      membership_withdrawn: "membership_withdrawn",
      pause_begun: "pause_begun",
      pause_ending: "pause_ending",
      gift_receipt: "gift_receipt",
      gift_ending: "gift_ending",
      payment_refunded: "payment_refunded",
      course_receipt: "course_receipt",
      course_refunded: "course_refunded",
      course_disputed: "course_disputed",
      course_dispute_won: "course_dispute_won",
      payment_disputed: "payment_disputed",
      dispute_won: "dispute_won",
      guarantee_granted: "guarantee_granted",
      guarantee_declined: "guarantee_declined",
      welcome: suspended,
      card_expiring: suspended,
      digest: suspended,
      guarantee_baseline: suspended,
      guarantee_check_in: suspended,
      guarantee_claim_open: suspended,
      identity_approved: suspended,
      identity_rejected: suspended,
      identity_attempts_reset: suspended,
    });
  });

  test("a member about a suspension that was lifted before it was sent", async ({ world }) => {
    const ada = await recipient(world);
    await enqueue(world, ada, "account_suspended", { reason: "Spam" });
    expect(await claim(world, ada)).toBeUndefined();
    expect(await queuedEmail(world, ada)).toMatchObject({
      last_error: "the suspension was lifted",
    });
  });

  test("a member who switched its kind off; money, identity and security cannot be", async ({
    world,
  }) => {
    const [ada, ben] = [await recipient(world), await recipient(world)];
    const choose =
      "insert into public.notification_preferences (user_id, kind, email) values ($1, $2, false)";
    for (const [user, kind, template] of [
      [ada, "tips", "welcome"],
      [ben, "reminders", "card_expiring"],
    ] as const) {
      await world.run(user, choose, [user, kind]);
      await enqueue(world, user, template);
      expect(await claim(world, user)).toBeUndefined();
      expect(await queuedEmail(world, user)).toMatchObject({
        last_error: "switched off by the member",
      });
    }
    for (const kind of ["money", "identity", "security", "other"]) {
      await world.refused(ada, "23514", choose, [ada, kind]);
    }
  });

  test("a member about a payment that was made in the meantime", async ({ world }) => {
    const ada = await recipient(world);
    await world.subscribe(ada, "student-access", "past_due");
    const { id } = await world.one(
      "owner",
      "select subscription_id as id from public.stripe_subscriptions where customer_id = 'cus_' || $1",
      [ada],
    );
    await enqueue(world, ada, "payment_failed", { subscription_id: id });
    expect(await claim(world, ada)).toMatchObject({ template: "payment_failed" });
    await world.run("owner", "delete from private.email_outbox where user_id = $1", [ada]);
    await enqueue(world, ada, "payment_failed", { subscription_id: id });
    await world.run(
      "owner",
      "update public.stripe_subscriptions set status = 'active' where subscription_id = $1",
      [id],
    );
    await world.run(
      "owner",
      "delete from private.email_outbox where user_id = $1 and template <> 'payment_failed'",
      [ada],
    );
    expect(await claim(world, ada)).toBeUndefined();
    expect(await queuedEmail(world, ada)).toMatchObject({ last_error: "the payment was made" });
  });

  test("an account that is no administrator about a member's dispute", async ({ world }) => {
    const [admin, former] = [await world.admin(), await recipient(world)];
    await world.run("owner", "update auth.users set email_confirmed_at = now() where id = $1", [
      admin,
    ]);
    await enqueue(world, admin, "dispute_opened");
    expect(await claim(world, admin)).toMatchObject({ template: "dispute_opened" });
    await enqueue(world, former, "dispute_opened");
    expect(await claim(world, former)).toBeUndefined();
    expect(await queuedEmail(world, former)).toMatchObject({ last_error: "no administrator" });
  });

  test("a member about a dispute that is decided, or a membership that is over", async ({
    world,
  }) => {
    const [ada, ben] = [await recipient(world), await recipient(world)];
    await world.subscribe(ada);
    const disputed = `insert into private.billing_charges (charge_id, customer_id, is_refunded, dispute)
      values ('ch_' || $1, 'cus_' || $1, false, 'open')`;
    await world.run("owner", disputed, [ada]);
    await world.run("owner", "delete from private.email_outbox where user_id = $1", [ada]);
    await enqueue(world, ada, "payment_disputed", { number: `ch_${ada}` });
    expect(await claim(world, ada)).toMatchObject({ template: "payment_disputed" });
    await world.run(
      "owner",
      "update private.billing_charges set dispute = 'won' where charge_id = $1",
      [`ch_${ada}`],
    );
    await makeDue(world, ada);
    expect(await claim(world, ada)).toBeUndefined();
    expect(await queuedEmail(world, ada)).toMatchObject({ last_error: "the dispute is decided" });
    await enqueue(world, ben, "dispute_won");
    expect(await claim(world, ben)).toBeUndefined();
    expect(await queuedEmail(world, ben)).toMatchObject({ last_error: "the membership has ended" });
  });
});
