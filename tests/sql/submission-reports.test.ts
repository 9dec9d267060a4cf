import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import {
  exportedReports,
  reportQueueSql,
  reportSql,
  resolveReportSql as resolveSql,
  waitingReport as waiting,
} from "./report-world.ts";
import { test, type World } from "./world.ts";

async function share(world: World, user_id: string): Promise<unknown> {
  const row = { user_id, submission_type: "failure", title: "A lesson", content: "Buy coins" };
  return (await world.insert(user_id, "learning_submissions", row))["id"];
}

async function comment(world: World, user_id: string, submission_id: unknown): Promise<unknown> {
  const row = { user_id, submission_id, content: "Buy more" };
  return (await world.insert(user_id, "learning_submission_comments", row))["id"];
}

const gone = async (world: World, table: string, id: unknown) =>
  (await world.count("owner", `select from public.${table} where id = $1`, [id])) === 0;

describe("a report of a submission or comment", () => {
  test("appears in the queue with the text as it was", async ({ world }) => {
    const [eve, bob, cleo] = [await world.member(), await world.member(), await world.member()];
    const admin = await world.admin();
    const id = await share(world, eve);
    const said = await comment(world, eve, id);
    await world.run(bob, reportSql, ["submission", id, "  Sells coins \u3000"]);
    await world.run(bob, reportSql, ["submission", id, "Again"]);
    await world.run(bob, reportSql, ["comment", said, "This as well"]);
    expect(await waiting(world, admin, id)).toMatchObject({ reports: 1, is_changed: false });
    await world.run(eve, "select public.edit_submission($1, 'A lesson', 'Nothing')", [id]);
    await world.run(cleo, reportSql, ["submission", id, "Spam"]);
    expect(await waiting(world, admin, id)).toMatchObject({
      kind: "submission",
      place: { submission_id: id },
      snapshot: { title: "A lesson", content: "Buy coins" },
      is_changed: true,
      author: { id: eve, role: "student" },
      reports: 2,
      reasons: ["Sells coins\n\nAgain", "Spam"],
    });
    expect(await waiting(world, admin, said)).toMatchObject({
      kind: "comment",
      place: { submission_id: id, title: "A lesson" },
      snapshot: { content: "Buy more" },
      is_changed: false,
      reports: 1,
    });
  });

  test("needs a reason, another author and a membership, and is limited", async ({ world }) => {
    const [eve, bob] = [await world.member(), await world.member()];
    const id = await share(world, eve);
    const said = await comment(world, eve, id);
    for (const reason of [null, "", " \u200b", "x".repeat(501)]) {
      await world.refused(bob, "FF317", reportSql, ["submission", id, reason]);
      await world.refused(bob, "FF317", reportSql, ["comment", said, reason]);
    }
    await world.refused(eve, "FF318", reportSql, ["submission", id, "Mine"]);
    await world.refused(eve, "FF318", reportSql, ["comment", said, "Mine"]);
    for (const nothing of [randomUUID(), null]) {
      await world.refused(bob, "FF332", reportSql, ["submission", nothing, "Gone"]);
      await world.refused(bob, "FF333", reportSql, ["comment", nothing, "Gone"]);
    }
    const newcomer = await world.newcomer();
    for (const [actor, code] of [
      [newcomer, "FF700"],
      ["anon", "42501"],
    ] as const) {
      await world.refused(actor, code, reportSql, ["submission", id, "Spam"]);
      await world.refused(actor, code, reportSql, ["comment", said, "Spam"]);
    }
    for (const actor of [bob, eve, "service_role"]) {
      await world.refused(actor, "42501", "select * from private.reports");
    }
    await world.run(
      "owner",
      "update private.rate_limits set max_count = 1 where action = 'report'",
    );
    await world.run(bob, reportSql, ["submission", id, "x".repeat(500)]);
    await world.refused(bob, "FF300", reportSql, ["comment", said, "Another"]);
  });

  test("is kept in one shape, once while open, and goes with what it is about", async ({
    world,
  }) => {
    const [eve, bob, cleo] = [await world.member(), await world.member(), await world.member()];
    const id = await share(world, eve);
    const said = await comment(world, eve, id);
    const insert = `insert into private.reports
      (kind, subject_id, submission_id, comment_id, user_id, reason, resolved_at, decision, author_id, snapshot)
      select case when $1::uuid is null then 'comment' else 'submission' end, coalesce($1, $2, gen_random_uuid()), $1, $2,
        $3, $4, $5, $6, $7, '{"content": "x"}'`;
    const insertBy = (values: readonly unknown[]) => [...values, eve];
    const open = [null, null];
    await world.run("owner", insert, insertBy([id, null, bob, "Spam", ...open]));
    await world.run("owner", insert, insertBy([null, said, bob, "Spam", ...open]));
    for (const [code, values] of [
      ["23505", [id, null, bob, "Again", ...open]],
      ["23505", [null, said, bob, "Again", ...open]],
      ["23503", [randomUUID(), null, bob, "Gone", ...open]],
      ["23503", [null, randomUUID(), bob, "Gone", ...open]],
      ["23503", [id, null, randomUUID(), "Gone", ...open]],
      ["23514", [id, said, cleo, "Both", ...open]],
      ["23514", [null, null, cleo, "Neither", ...open]],
      ["23514", [id, null, cleo, "", ...open]],
      ["23514", [id, null, cleo, "x".repeat(2001), ...open]],
      ["23514", [id, null, cleo, "Burnt", new Date(), "burn"]],
      ["23514", [id, null, cleo, "Half", new Date(), null]],
      ["23514", [id, null, cleo, "Half", null, "keep"]],
    ] as const) {
      await world.refused("owner", code, insert, insertBy(values));
    }
    await world.run("owner", insert, insertBy([id, null, bob, "Closed", new Date(), "keep"]));
    const exported = async (member: string) => await exportedReports(world, member);
    expect(await exported(bob)).toHaveLength(3);
    const [made] = (await exported(bob)).filter(({ reason }) => reason === "Closed");
    expect(made).toMatchObject({ submission_id: id, decision: "keep" });
    expect(made).not.toHaveProperty("snapshot");
    const about = await exported(eve);
    expect(about).toContainEqual(expect.objectContaining({ snapshot: { content: "x" } }));
    for (const each of about) expect(each).not.toHaveProperty("reason");
    expect(JSON.stringify(about)).not.toContain(bob);
    expect(await exported(cleo)).toEqual([]);
    const left = "select from private.reports where user_id = $1";
    await world.run("owner", "delete from auth.users where id = $1", [eve]);
    expect(await world.count("owner", left, [bob])).toBe(0);
  });
});

describe("a decision about a reported submission or comment", () => {
  for (const kind of ["submission", "comment"] as const) {
    test(`keeps or removes a ${kind}, closes every report and is recorded`, async ({ world }) => {
      const [eve, bob, cleo] = [await world.member(), await world.member(), await world.member()];
      const admin = await world.admin();
      const submission_id = await share(world, eve);
      const comment_id = await comment(world, eve, submission_id);
      const [id, table] =
        kind === "submission"
          ? [submission_id, "learning_submissions"]
          : [comment_id, "learning_submission_comments"];
      await world.run(bob, reportSql, [kind, id, "Spam"]);
      await world.run(cleo, reportSql, [kind, id, "Spam"]);
      const { report_id: first } = (await waiting(world, admin, id)) ?? {};
      await world.run(admin, resolveSql, [first, "keep"]);
      expect(await waiting(world, admin, id)).toBeUndefined();
      expect(await gone(world, table, id)).toBe(false);
      await world.refused(admin, "FF320", resolveSql, [first, "remove"]);
      // A decision does not silence a later report.
      await world.run(bob, reportSql, [kind, id, "Again"]);
      const { report_id: second } = (await waiting(world, admin, id)) ?? {};
      await world.run(admin, resolveSql, [second, "remove"]);
      expect(await gone(world, table, id)).toBe(true);
      const about = kind === "submission" ? { submission_id } : { comment_id };
      expect(
        await world.run(
          "owner",
          "select actor, action, detail from private.audit_log where subject = $1 order by id",
          [eve],
        ),
      ).toEqual([
        {
          actor: admin,
          action: `${kind}.kept`,
          detail: { ...about, report_id: Number(first), before: "reported", after: "keep" },
        },
        {
          actor: admin,
          action: `${kind}.removed`,
          detail: { ...about, report_id: Number(second), before: "reported", after: "remove" },
        },
      ]);
    });
  }

  test("is for administrators with a second factor, about others", async ({ world }) => {
    const [eve, bob] = [await world.member(), await world.member()];
    const admin = await world.admin();
    const id = await share(world, eve);
    await world.run(bob, reportSql, ["submission", id, "Spam"]);
    const { report_id: report } = (await waiting(world, admin, id)) ?? {};
    for (const outsider of [eve, bob]) {
      await world.refused(outsider, "FF002", resolveSql, [report, "keep"]);
      await world.refused(outsider, "FF002", reportQueueSql, [null]);
    }
    const plain = await world.plainAdmin();
    await world.refused(plain, "FF005", resolveSql, [report, "keep"]);
    await world.refused(plain, "FF005", reportQueueSql, [null]);
    for (const wrong of ["burn", "clear", null]) {
      await world.refused(admin, "FF319", resolveSql, [report, wrong]);
    }
    await world.refused(admin, "FF320", resolveSql, [-1, "keep"]);
    const own = await share(world, admin);
    await world.run(bob, reportSql, ["submission", own, "Unfair"]);
    const { report_id: ownReport } = (await waiting(world, admin, own)) ?? {};
    await world.refused(admin, "FF513", resolveSql, [ownReport, "keep"]);
    await world.run(await world.admin(), resolveSql, [ownReport, "keep"]);
  });
});
