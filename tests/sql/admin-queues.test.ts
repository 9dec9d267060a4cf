import { describe, expect } from "vitest";
import { affiliateIdOf, bring, payInvoice, release } from "./affiliate-world.ts";
import { makePost, reportPostSql } from "./direct-world.ts";
import { finisher } from "./guarantee-world.ts";
import { reportSql } from "./report-world.ts";
import { draftedArticle, submitDraft } from "./studio-world.ts";
import { test, type World } from "./world.ts";

interface QueueCount {
  queue: string;
  waiting: number;
  oldest_at: string | null;
  /** Of the reports alone. */
  kinds?: Readonly<Record<string, number>>;
}

describe("the queues", () => {
  const counts = async (world: World, admin: string) =>
    (await world.one(admin, "select public.admin_queues() as queues"))["queues"] as QueueCount[];

  test("say how many wait and since when", async ({ owner, world }) => {
    // Hides what other test files commit meanwhile; has to be the first statement.
    await owner.query("set transaction isolation level repeatable read");
    const admin = await world.admin();
    const before = await counts(world, admin);
    expect(before.map(({ queue }) => queue)).toEqual([
      "identity",
      "reports",
      "accounts",
      "disputes",
      "review",
      "payouts",
      "claims",
    ]);
    const [ada, ben] = [await world.member(), await world.member()];
    await world.run(
      "owner",
      "update public.user_verifications set submitted_at = '2020-02-02' where user_id = $1",
      [ada],
    );
    const said = { user_id: ada, chat_room_id: "general", content: "Hello" };
    const { id: message } = await world.insert(ada, "chat_messages", said);
    for (const reporter of [ben, admin])
      await world.run(reporter, reportSql, ["message", message, "Rude"]);
    // Two reports of one text wait as one, as a post and a profile do.
    const shared = {
      user_id: ada,
      submission_type: "failure",
      title: "A lesson",
      content: "Coins",
    };
    const { id: submission } = await world.insert(ada, "learning_submissions", shared);
    const post = await makePost(world, ada);
    for (const reporter of [ben, await world.member()]) {
      await world.run(reporter, reportSql, ["submission", submission, "Spam"]);
      await world.run(reporter, reportPostSql, [post, "Spam"]);
      await world.run(reporter, reportSql, ["profile", ada, "Spam"]);
    }
    const { mentor, draft } = await draftedArticle(world);
    await world.run(mentor, submitDraft, [draft, 1]);
    const [waiting, closed] = [await world.newcomer(), await world.newcomer()];
    for (const each of [waiting, closed]) await world.reject(each, 5, admin);
    const keep = "select public.decide_flagged_verification($1, 'keep_closed', 'Forged')";
    await world.run(admin, keep, [closed]);
    const after = await counts(world, admin);
    // Every member made here has sent a document: two, a third who reports, and the mentor.
    const more = after.map(({ waiting: n }, place) => n - (before[place]?.waiting ?? 0));
    expect(more).toEqual([4, 4, 1, 0, 1, 0, 0]);
    const kinds = (list: readonly QueueCount[]) =>
      list.find(({ queue }) => queue === "reports")?.kinds ?? {};
    for (const kind of ["message", "post", "submission", "profile"]) {
      expect((kinds(after)[kind] ?? 0) - (kinds(before)[kind] ?? 0), kind).toBe(1);
    }
    expect(new Date(after[0]?.oldest_at ?? "")).toEqual(new Date("2020-02-02T00:00:00Z"));
    const { overview } = await world.one(admin, "select public.admin_overview() as overview");
    expect(overview).toMatchObject({ queues: after });
  });

  test("count what is owed once it can be paid, and claims until all about them is done", async ({
    owner,
    world,
  }) => {
    await owner.query("set transaction isolation level repeatable read");
    const admin = await world.freshAdmin();
    const before = await counts(world, admin);
    const more = async () =>
      Object.fromEntries(
        (await counts(world, admin)).map(({ queue, waiting, oldest_at: oldest }, place) => [
          queue,
          { more: waiting - (before[place]?.waiting ?? 0), oldest },
        ]),
      );
    const [ada, grace] = [await world.member(), await finisher(world)];
    await payInvoice(world, await bring(world, ada));
    // Pending is not owed yet.
    expect((await more())["payouts"]?.more).toBe(0);
    await release(world, ada);
    expect(await more()).toMatchObject({ payouts: { more: 1 }, claims: { more: 0 } });
    expect((await more())["payouts"]?.oldest).not.toBeNull();
    const pay = "select public.admin_mark_payout($1, 1000, 'BANK 1')";
    await world.run(admin, pay, [await affiliateIdOf(world, ada)]);
    expect((await more())["payouts"]?.more).toBe(0);

    const filed = await world.one(grace, "select public.file_guarantee_claim($1, $2) as claim", [
      150_000,
      "I did all of it.",
    ]);
    expect((await more())["claims"]).toMatchObject({ more: 1 });
    const { id } = filed["claim"] as { id: string };
    const decline = "select public.decide_guarantee_claim($1, false, 'One check-in is missing.')";
    await world.run(admin, decline, [id]);
    expect((await more())["claims"]?.more).toBe(0);
  });

  test("leave out an administrator's own document, which another one has to review", async ({
    owner,
    world,
  }) => {
    await owner.query("set transaction isolation level repeatable read");
    const [own, other] = [await world.admin(), await world.admin()];
    const identity = async (admin: string) => (await counts(world, admin))[0]?.waiting ?? 0;
    const before = { own: await identity(own), other: await identity(other) };
    await world.handIn(own);
    expect(await identity(own)).toBe(before.own);
    expect(await identity(other)).toBe(before.other + 1);
  });

  test("are refused to all but administrators with a second factor", async ({ world }) => {
    for (const sql of ["select public.admin_queues()", "select * from public.dispute_queue()"]) {
      for (const actor of [await world.member(), await world.member("mentor-access")])
        await world.refused(actor, "FF002", sql);
      await world.refused(await world.plainAdmin(), "FF005", sql);
      await world.refused("anon", "42501", sql);
    }
  });
});
