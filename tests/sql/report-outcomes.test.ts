import { describe, expect } from "vitest";
import { insertMessage } from "./chat-world.ts";
import {
  explanation,
  exportedReports,
  reportSql,
  resolveReportSql,
  waitingReport,
} from "./report-world.ts";
import { test, type Row, type World } from "./world.ts";

async function told(world: World, member: string): Promise<readonly Row[]> {
  const { bell } = await world.one(member, "select public.my_notifications() as bell");
  return (bell as { items: readonly Row[] }).items;
}

async function queued(world: World, admin: string, thing: unknown): Promise<Row> {
  const found = await waitingReport(world, admin, thing);
  if (found === undefined) throw new Error("it waits in no queue");
  return found;
}

describe("what became of a report", () => {
  test("is told to all who reported, and what was removed to its author, naming nobody", async ({
    world,
  }) => {
    const [ada, bob, cleo] = [await world.member(), await world.member(), await world.member()];
    const admin = await world.admin();
    const { id } = await insertMessage(world, ada, "Rude");
    await world.run(bob, reportSql, ["message", id, "Insults me"]);
    await world.run(cleo, reportSql, ["message", id, "Spam"]);
    const { report_id } = await queued(world, admin, id);
    await world.run(admin, resolveReportSql, [report_id, "remove"]);
    const outcome = { what: "message", is_kept: false, actor: null, others: 0, detail: null };
    for (const each of [bob, cleo]) {
      expect(await told(world, each)).toMatchObject([{ kind: "report_decided", ...outcome }]);
    }
    expect(await told(world, ada)).toMatchObject([{ kind: "moderated", ...outcome }]);
    for (const each of [ada, bob, cleo]) {
      const said = JSON.stringify(await told(world, each));
      for (const other of [ada, bob, cleo, admin]) expect(said).not.toContain(other);
    }
  });

  test("that keeps it is told to who reported, and not to the author", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const admin = await world.admin();
    const { id } = await insertMessage(world, ada, "Frank");
    await world.run(bob, reportSql, ["message", id, "Hurts"]);
    const { report_id } = await queued(world, admin, id);
    await world.run(admin, resolveReportSql, [report_id, "keep"]);
    expect(await told(world, bob)).toMatchObject([
      { kind: "report_decided", what: "message", is_kept: true },
    ]);
    expect(await told(world, ada)).toEqual([]);
  });

  test("is told of profiles, submissions and comments, too", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const admin = await world.admin();
    const row = { user_id: ada, submission_type: "failure", title: "A lesson", content: "Coins" };
    const { id: first } = await world.insert(ada, "learning_submissions", row);
    const said = { user_id: ada, submission_id: first, content: "More coins" };
    const { id: comment } = await world.insert(ada, "learning_submission_comments", said);
    await world.run(bob, reportSql, ["comment", comment, "Sells"]);
    await world.run(bob, reportSql, ["submission", first, "Sells"]);
    await world.run(bob, reportSql, ["profile", ada, "Sells"]);
    const decide = async (thing: unknown, decision: string) => {
      const { report_id } = await queued(world, admin, thing);
      await world.run(admin, resolveReportSql, [report_id, decision]);
    };
    await decide(comment, "remove");
    await decide(first, "remove");
    await decide(ada, "clear");
    const things = (await told(world, ada)).map(({ kind, what }) => [kind, what]);
    const all = ["profile", "submission", "comment"];
    expect(things).toEqual(all.map((what) => ["moderated", what]));
    const heard = (await told(world, bob)).map(({ kind, what }) => [kind, what]);
    expect(heard).toEqual(all.map((what) => ["report_decided", what]));
  });
});

describe("what was removed", () => {
  test("is named to its author with the reason, and to who reported it by what they wrote", async ({
    world,
  }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const admin = await world.admin();
    const { id, created_at } = await insertMessage(world, ada, "Rude");
    await world.run(bob, reportSql, ["message", id, "Insults me"]);
    const { report_id } = await queued(world, admin, id);
    await world.run(admin, resolveReportSql, [report_id, "remove"]);
    const [line] = await told(world, ada);
    expect(line).toMatchObject({
      kind: "moderated",
      room: "General",
      words: "Rude",
      excerpt: explanation,
    });
    expect(Date.parse(String(line?.["written_at"]))).toBe((created_at as Date).getTime());
    const [heard] = await told(world, bob);
    expect(heard).toMatchObject({ room: "General", excerpt: "Insults me" });
    expect(JSON.stringify(heard)).not.toContain("Rude");
    expect(JSON.stringify(heard)).not.toContain(explanation);
    expect((await exportedReports(world, ada))[0]).toMatchObject({ explanation });
    expect((await exportedReports(world, bob))[0]).not.toHaveProperty("explanation");
  });

  test("keeps its line when it took its reports with it", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const admin = await world.admin();
    const row = { user_id: ada, submission_type: "failure", title: "A lesson", content: "Coins" };
    const { id } = await world.insert(ada, "learning_submissions", row);
    await world.run(bob, reportSql, ["submission", id, "Sells"]);
    const { report_id } = await queued(world, admin, id);
    await world.run(admin, resolveReportSql, [report_id, "remove"]);
    const [line] = await told(world, ada);
    expect(line).toMatchObject({ title: "A lesson", excerpt: explanation });
    // Its title says which it was.
    expect(line).not.toHaveProperty("words");
  });

  test("needs an explanation of at most 500 characters, and without one nothing is decided", async ({
    world,
  }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const admin = await world.admin();
    const { id } = await insertMessage(world, ada, "Rude");
    await world.run(bob, reportSql, ["message", id, "Insults me"]);
    const { report_id } = await queued(world, admin, id);
    const resolve = "select public.resolve_report($1, 'remove', $2)";
    for (const nothing of [null, "", " \u00a0\n", "a".repeat(501)]) {
      await world.refused(admin, "FF344", resolve, [report_id, nothing]);
    }
    expect(await queued(world, admin, id)).toMatchObject({ report_id });
    await world.run(admin, resolve, [report_id, ` ${"💬".repeat(500)} `]);
    expect(await told(world, ada)).toMatchObject([{ excerpt: "💬".repeat(500) }]);
  });
});

describe("a further report of the same thing", () => {
  test("joins the open one, once for each text, and a new one follows the decision", async ({
    world,
  }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const admin = await world.admin();
    const { id } = await insertMessage(world, ada, "Rude");
    for (const text of ["Insults me", "And my friend", "Insults me"]) {
      await world.run(bob, reportSql, ["message", id, text]);
    }
    const first = await queued(world, admin, id);
    expect(first).toMatchObject({ reports: 1, reasons: ["Insults me\n\nAnd my friend"] });
    await world.run(admin, resolveReportSql, [first["report_id"], "keep"]);
    await world.run(bob, reportSql, ["message", id, "It goes on"]);
    expect(await queued(world, admin, id)).toMatchObject({
      reasons: ["It goes on"],
    });
  });

  test("has an end, which is said", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const { id } = await insertMessage(world, ada, "Rude");
    for (const letter of ["a", "b", "c"]) {
      await world.run(bob, reportSql, ["message", id, letter.repeat(500)]);
    }
    await world.refused(bob, "FF317", reportSql, ["message", id, "d".repeat(500)]);
  });
});
