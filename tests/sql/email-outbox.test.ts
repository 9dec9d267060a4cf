import { describe, expect } from "vitest";
import { writeEmail } from "../../supabase/functions/_shared/emails/email-templates.ts";
import { sampleEmails } from "../../supabase/functions/_shared/emails/sample-emails.ts";
import { claim, enqueue, enqueueSql, makeDue, recipient, queuedEmail } from "./email-world.ts";
import { test, type Row } from "./world.ts";

const recordSql = "select public.record_email_result($1, $2, $3) as status";

describe("an e-mail", () => {
  test("is queued once for each cause", async ({ world }) => {
    const [ada, ben] = [await recipient(world), await recipient(world)];
    const add = async (user: string, cause: string) =>
      (await world.one("service_role", enqueueSql, [user, "receipt", cause, {}]))["added"];
    expect(await add(ada, "a")).toBe(true);
    expect(await add(ada, "a")).toBe(false);
    expect(await add(ben, "a")).toBe(false);
    expect(await add(ada, "b")).toBe(true);
    await world.refused("service_role", "23503", enqueueSql, [ada, "no_such_email", "c", {}]);
  });

  test("goes to the address and name the account has when it is sent", async ({ world }) => {
    const ada = await recipient(world);
    await enqueue(world, ada, "receipt", { amount: 5000 });
    await world.run("owner", "update auth.users set email = $2 where id = $1", [
      ada,
      `new-${ada}@example.test`,
    ]);
    await world.run("owner", "update public.profiles set first_name = 'Ada' where id = $1", [ada]);
    const row = await world.one("service_role", "select * from public.claim_email()");
    expect(row).toMatchObject({
      address: `new-${ada}@example.test`,
      first_name: "Ada",
      template: "receipt",
      data: { amount: 5000 },
    });
  });

  test("is held by one sender until its lease ends, and reported by that sender only", async ({
    world,
  }) => {
    const ada = await recipient(world);
    await enqueue(world, ada);
    const first = await claim(world, ada);
    expect(first).toBeDefined();
    expect(await claim(world, ada)).toBeUndefined();
    await makeDue(world, ada);
    const second = await claim(world, ada);
    expect(second?.["id"]).toBe(first?.["id"]);
    const report = async (by: Row | undefined) =>
      (await world.one("service_role", recordSql, [by?.["id"], by?.["claim"], null]))["status"];
    expect(await report(first)).toBe("not_yours");
    expect(await queuedEmail(world, ada)).toMatchObject({ status: "pending", is_sent: false });
    expect(await report(second)).toBe("sent");
    expect(await report(second)).toBe("not_yours");
    expect(await queuedEmail(world, ada)).toMatchObject({
      status: "sent",
      attempts: 2,
      is_sent: true,
    });
    await makeDue(world, ada);
    expect(await claim(world, ada)).toBeUndefined();
  });

  test("that fails is tried after a growing pause, and given up after about three days", async ({
    world,
  }) => {
    const ada = await recipient(world);
    await enqueue(world, ada);
    const pauses: number[] = [];
    let status: unknown;
    do {
      await makeDue(world, ada);
      const row = await claim(world, ada);
      const values = [row?.["id"], row?.["claim"], "421 try again later"];
      ({ status } = await world.one("service_role", recordSql, values));
      pauses.push(Number((await queuedEmail(world, ada))["pause"]));
    } while (status === "pending" && pauses.length < 1000);
    expect(pauses.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    const hours = pauses.slice(0, -1).reduce((sum, pause) => sum + pause, 0) / 60;
    expect(hours).toBeGreaterThan(70);
    expect(hours).toBeLessThan(80);
    expect(await queuedEmail(world, ada)).toMatchObject({
      status: "failed",
      last_error: "421 try again later",
    });
  });

  test("that a sender gives back was not tried, and is due again in a minute", async ({
    world,
  }) => {
    const ada = await recipient(world);
    await enqueue(world, ada);
    const first = await claim(world, ada);
    const giveBack = async (claimed: unknown) =>
      (
        await world.one("service_role", "select public.release_email($1, $2) as done", [
          first?.["id"],
          claimed,
        ])
      )["done"];
    expect(await giveBack("00000000-0000-4000-8000-000000000000")).toBe(false);
    expect(await queuedEmail(world, ada)).toMatchObject({ attempts: 1, pause: 5 });
    expect(await giveBack(first?.["claim"])).toBe(true);
    const returned = { status: "pending", attempts: 0, pause: 1, claim: null };
    expect(await queuedEmail(world, ada)).toMatchObject(returned);
    expect(await giveBack(first?.["claim"])).toBe(false);
    const late = [first?.["id"], first?.["claim"], null];
    expect(await world.one("service_role", recordSql, late)).toEqual({ status: "not_yours" });
  });

  test("about security or money goes before tips and reminders, and these before a digest", async ({
    world,
  }) => {
    const ada = await recipient(world);
    const order = ["digest", "welcome", "card_expiring", "receipt"];
    await world.run("owner", "update private.email_outbox set status = 'skipped'");
    // Those that go last have waited for longest.
    for (const [days, template] of order.toReversed().entries()) {
      await world.run("service_role", enqueueSql, [ada, template, `order:${template}:${ada}`, {}]);
      const sql = `update private.email_outbox set next_attempt_at = now() - make_interval(days => $2)
        where user_id = $1 and template = $3`;
      await world.run("owner", sql, [ada, days + 1, template]);
    }
    const queued = await world.run(
      "owner",
      "select template, priority from private.email_outbox where user_id = $1 and status = 'pending' order by next_attempt_at",
      [ada],
    );
    expect(queued).toEqual([
      { template: "digest", priority: 3 },
      { template: "welcome", priority: 2 },
      { template: "card_expiring", priority: 2 },
      { template: "receipt", priority: 1 },
    ]);
    const claimed: unknown[] = [];
    for (let times = 0; times < 3; times += 1)
      claimed.push(
        (await world.one("service_role", "select template from public.claim_email()"))["template"],
      );
    expect(claimed).toEqual(["receipt", "welcome", "card_expiring"]);
  });

  test("takes its place in the order when it is queued", async ({ world }) => {
    const ada = await recipient(world);
    for (const template of ["digest", "welcome", "account_suspended", "identity_approved"]) {
      await world.run("service_role", enqueueSql, [ada, template, `place:${template}:${ada}`, {}]);
    }
    const sql =
      "select template, priority from private.email_outbox where user_id = $1 order by template";
    expect(await world.run("owner", sql, [ada])).toEqual([
      { template: "account_suspended", priority: 1 },
      { template: "digest", priority: 3 },
      { template: "identity_approved", priority: 1 },
      { template: "welcome", priority: 2 },
    ]);
  });

  test("whose senders never report is given up as well", async ({ world }) => {
    const ada = await recipient(world);
    await enqueue(world, ada);
    await world.run("owner", "update private.email_outbox set attempts = 80 where user_id = $1", [
      ada,
    ]);
    expect(await claim(world, ada)).toBeUndefined();
    expect(await queuedEmail(world, ada)).toMatchObject({
      status: "failed",
      last_error: "no sender reported a result",
    });
  });

  test("is deleted 90 days after its cause, unless it is still to be sent or a welcome", async ({
    world,
  }) => {
    const [sent, waiting, fresh, welcomed] = [
      await recipient(world),
      await recipient(world),
      await recipient(world),
      await recipient(world),
    ];
    for (const user of [sent, waiting, fresh]) await enqueue(world, user, "receipt");
    await enqueue(world, welcomed, "welcome");
    const set = `update private.email_outbox set status = $2, created_at = now() - make_interval(days => $3)
      where user_id = $1`;
    await world.run("owner", set, [sent, "sent", 91]);
    await world.run("owner", set, [waiting, "pending", 91]);
    await world.run("owner", set, [fresh, "failed", 89]);
    await world.run("owner", set, [welcomed, "sent", 91]);
    await world.run("service_role", "select public.purge_emails()");
    const left = await world.run(
      "owner",
      "select user_id from private.email_outbox where user_id = any ($1)",
      [[sent, waiting, fresh, welcomed]],
    );
    expect(new Set(left.map((row) => row["user_id"]))).toEqual(new Set([waiting, fresh, welcomed]));
  });

  test("goes with its account, and is in the member's export", async ({ world }) => {
    const ada = await recipient(world);
    await enqueue(world, ada, "receipt", { amount: 5000 });
    const { data } = await world.one(ada, "select public.export_my_data() as data");
    expect((data as Row)["emails"]).toMatchObject([
      { template: "receipt", data: { amount: 5000 }, status: "pending" },
    ]);
    await world.run("owner", "delete from auth.users where id = $1", [ada]);
    const left = "select from private.email_outbox where user_id = $1";
    expect(await world.run("owner", left, [ada])).toEqual([]);
  });
});

describe("the outbox", () => {
  test("knows the templates that are written, and which of them can be switched off", async ({
    world,
  }) => {
    const rows = await world.run(
      "owner",
      "select name, kind in ('tips', 'reminders', 'digest') as optional from private.email_templates order by name",
    );
    const written = Object.entries(sampleEmails).map(([name, data]) => ({
      name,
      optional: writeEmail(name, data).canSwitchOff,
    }));
    expect(rows).toEqual(written.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
  });

  test("is closed to visitors, members and administrators, and its table to the server too", async ({
    world,
  }) => {
    const ada = await recipient(world);
    await enqueue(world, ada);
    for (const actor of ["anon", ada, await world.member(), await world.admin()]) {
      for (const schema of ["public", "private"]) {
        const add = `select ${schema}.enqueue_email($1, 'account_suspended', 'forged', '{}')`;
        await world.refused(actor, "42501", add, [ada]);
        await world.refused(actor, "42501", `select ${schema}.claim_email('1 minute')`);
        const report = `select ${schema}.record_email_result(gen_random_uuid(), gen_random_uuid(), null)`;
        await world.refused(actor, "42501", report);
        const giveBack = `select ${schema}.release_email(gen_random_uuid(), gen_random_uuid())`;
        await world.refused(actor, "42501", giveBack);
        await world.refused(actor, "42501", `select ${schema}.purge_emails()`);
        await world.refused(actor, "42501", `select ${schema}.queue_card_reminders()`);
        await world.refused(actor, "42501", `select ${schema}.queue_guarantee_reminders()`);
      }
    }
    for (const actor of ["anon", ada, await world.admin(), "service_role"]) {
      await world.refused(actor, "42501", "select private.pause_emails('forged')");
      await world.refused(actor, "42501", "select private.resume_emails(true)");
      await world.refused(actor, "42501", "select hooks.after_restore()");
      for (const table of ["email_outbox", "email_templates", "email_pauses"]) {
        await world.refused(actor, "42501", `select from private.${table}`);
        await world.refused(actor, "42501", `delete from private.${table}`);
      }
      const forge =
        "insert into private.email_outbox (user_id, template, cause_key) values ($1, 'welcome', 'x')";
      await world.refused(actor, "42501", forge, [ada]);
    }
  });
});
