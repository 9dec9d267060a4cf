import { describe, expect } from "vitest";
import { article, atLevel, markRead, openArticle, shelf } from "./library-world.ts";
import { explanation, reportSql, waitingReport } from "./report-world.ts";
import { test, type Row, type World } from "./world.ts";

/** What an administrator takes away without a report, but a message of a room: `message-removal.test.ts` has that. */
interface Removable {
  /** Makes one that another member made, and says how its author finds it again. */
  readonly make: (world: World, author: string) => Promise<unknown>;
  readonly remove: string;
  /** What is left of it. */
  readonly left: string;
  /** What its author does to take it away. */
  readonly own: string;
  readonly told: Row;
}

async function submission(world: World, author: string): Promise<unknown> {
  const row = { user_id: author, submission_type: "failure", title: "A lesson", content: "Coins" };
  return (await world.insert(author, "learning_submissions", row))["id"];
}

async function text(world: World): Promise<string> {
  return await article(world, await shelf(world, "general"));
}

const removables: Readonly<Record<string, Removable>> = {
  submission: {
    make: submission,
    remove: "select public.delete_submission($1, $2)",
    left: "select from public.learning_submissions where id = $1",
    own: "select public.delete_submission($1)",
    told: { title: "A lesson" },
  },
  comment: {
    make: async (world, author) => {
      const under = await submission(world, await world.member());
      const row = { user_id: author, submission_id: under, content: "Buy\n coins" };
      return (await world.insert(author, "learning_submission_comments", row))["id"];
    },
    remove: "select public.delete_comment($1, $2)",
    left: "select from public.learning_submission_comments where id = $1",
    own: "select public.delete_comment($1)",
    told: { title: "A lesson", words: "Buy coins" },
  },
  question: {
    make: async (world, author) =>
      (
        await world.one(author, "select public.ask_question('Why Monday?', $1) as id", [
          await text(world),
        ])
      )["id"],
    remove: "select public.remove_question($1, $2)",
    left: "select from private.content_questions where id = $1",
    own: "select public.delete_question($1)",
    told: {
      title: "An article",
      words: "Why Monday?",
      place: { shelf: "articles", title: "An article", module: null },
    },
  },
  rating: {
    make: async (world, author) => {
      const read = await text(world);
      await openArticle(world, author, read);
      await markRead(world, author, read);
      await world.run(author, "select public.rate_text(1, 'It bored me.', $1)", [read]);
      const sql = "select id from private.content_ratings where article_id = $1";
      return (await world.one("owner", sql, [read]))["id"];
    },
    remove: "select public.remove_rating_comment($1, $2)",
    left: "select from private.content_ratings where id = $1 and sentence is not null",
    own: "select public.delete_rating(r.article_id) from (select article_id from private.content_ratings where id = $1) r",
    told: { title: "An article", words: "It bored me.", place: { module: null } },
  },
};
const all = Object.entries(removables);

/** What a member is told, but for the level that opens the texts. */
async function told(world: World, member: string): Promise<readonly Row[]> {
  const { bell } = await world.one(member, "select public.my_notifications() as bell");
  return (bell as { items: readonly Row[] }).items.filter(({ kind }) => kind !== "level_up");
}

describe("what an administrator takes away without a report", () => {
  test.for(all)("is told to its author alone, with why: a %s", async ([kind, it], { world }) => {
    const [ada, bob, admin] = [await atLevel(world, 2), await world.member(), await world.admin()];
    const id = await it.make(world, ada);
    await world.run(admin, it.remove, [id, ` ${explanation} `]);
    expect(await world.run("owner", it.left, [id])).toEqual([]);
    const lines = await told(world, ada);
    expect(lines).toMatchObject([
      { kind: "moderated", what: kind, is_kept: false, excerpt: explanation, ...it.told },
    ]);
    expect(JSON.stringify(lines)).not.toContain(admin);
    expect(await told(world, bob)).toEqual([]);
    const log = "select subject, detail from private.audit_log where actor = $1";
    expect(await world.run("owner", log, [admin])).toMatchObject([
      { subject: ada, detail: { reason: explanation } },
    ]);
  });

  test.for(all)("needs an explanation, and without one stays: a %s", async ([, it], { world }) => {
    const [ada, admin] = [await atLevel(world, 2), await world.admin()];
    const id = await it.make(world, ada);
    for (const nothing of [null, "", " \u00a0\n", "a".repeat(501)]) {
      await world.refused(admin, "FF344", it.remove, [id, nothing]);
    }
    expect(await world.run("owner", it.left, [id])).toHaveLength(1);
    expect(await told(world, ada)).toEqual([]);
    const log = "select from private.audit_log where actor = $1";
    expect(await world.run("owner", log, [admin])).toEqual([]);
  });

  test.for(all)(
    "is taken away by nobody else, explained or not: a %s",
    async ([kind, it], { world }) => {
      const ada = await atLevel(world, 2);
      const id = await it.make(world, ada);
      const refusals: Readonly<Record<string, readonly [string, string]>> = {
        submission: ["FF332", "FF332"],
        comment: ["FF333", "FF333"],
      };
      const [member, plain] = refusals[kind] ?? ["FF002", "FF005"];
      for (const actor of [await world.member(), await world.member("mentor-access")]) {
        await world.refused(actor, member, it.remove, [id, explanation]);
      }
      await world.refused(await world.plainAdmin(), plain, it.remove, [id, explanation]);
      for (const actor of ["anon", "service_role"]) {
        await world.refused(actor, "42501", it.remove, [id, explanation]);
      }
      expect(await world.run("owner", it.left, [id])).toHaveLength(1);
      expect(await told(world, ada)).toEqual([]);
    },
  );

  test.for(all.filter(([kind]) => kind !== "rating"))(
    "is told to nobody when its author takes it away: a %s",
    async ([, it], { world }) => {
      for (const author of [await atLevel(world, 2), await world.admin()]) {
        const id = await it.make(world, author);
        await world.run(author, it.own, [id]);
        expect(await world.run("owner", it.left, [id])).toEqual([]);
        expect(await told(world, author)).toEqual([]);
      }
    },
  );

  test.for(all.filter(([kind]) => kind === "submission" || kind === "comment"))(
    "decides its open reports, of which who reported hears, and its author once: a %s",
    async ([kind, it], { world }) => {
      const [ada, bob, cleo] = [await world.member(), await world.member(), await world.member()];
      const admin = await world.admin();
      const [id, other] = [await it.make(world, ada), await it.make(world, ada)];
      for (const member of [bob, cleo]) await world.run(member, reportSql, [kind, id, "Spam"]);
      await world.run(bob, reportSql, [kind, other, "Spam"]);
      await world.run(admin, it.remove, [id, explanation]);
      expect(await waitingReport(world, admin, id)).toBeUndefined();
      expect(await waitingReport(world, admin, other)).toMatchObject({ reports: 1 });
      for (const member of [bob, cleo]) {
        expect(await told(world, member)).toMatchObject([
          { kind: "report_decided", what: kind, is_kept: false },
        ]);
        expect(JSON.stringify(await told(world, member))).not.toContain(explanation);
      }
      expect(await told(world, ada)).toMatchObject([{ kind: "moderated", what: kind }]);
    },
  );

  test("is told to who answered as well: a question", async ({ world }) => {
    const [ada, mentor] = [await atLevel(world, 2), await world.member("mentor-access")];
    const admin = await world.admin();
    const answer = "select public.answer_question($1, 'Because it is early.')";
    const read = await article(world, await shelf(world, "general"), { author_id: mentor });
    const ask = "select public.ask_question('Why Monday?', $1) as id";
    for (const [answerer, lines] of [
      [mentor, 1],
      [admin, 0],
    ] as const) {
      const { id } = await world.one(ada, ask, [read]);
      await world.run(answerer, answer, [id]);
      await world.run(admin, "select public.remove_question($1, $2)", [id, explanation]);
      const own = (await told(world, answerer)).filter(({ kind }) => kind === "moderated");
      expect(own).toHaveLength(lines);
      for (const line of own) {
        expect(line).toMatchObject({ what: "answer", title: "An article", excerpt: explanation });
        expect(JSON.stringify(line)).not.toContain(ada);
      }
    }
  });

  test("is explained by no member", async ({ world }) => {
    const ada = await world.member();
    const id = await submission(world, ada);
    const explain =
      "select private.explain_removal('submission', $1, private.reported_submission($1), 'Rude')";
    for (const actor of [await world.member(), "anon"]) {
      await world.refused(actor, "42501", explain, [id]);
    }
    expect(await told(world, ada)).toEqual([]);
  });
});
