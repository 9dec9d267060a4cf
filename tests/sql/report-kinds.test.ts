import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import {
  exportedReports,
  reportQueue,
  reportQueueSql,
  reportSql,
  resolveReportSql,
  waitingReport,
} from "./report-world.ts";
import { test } from "./world.ts";

describe("a kind of report", () => {
  test("has a column that refers to it, so that reports go with what they are about", async ({
    world,
  }) => {
    const names = async (sql: string) =>
      (await world.run("owner", sql)).map(({ name }) => String(name)).toSorted();
    expect(
      await names(
        `select left(a.attname, -3) as name from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
         where c.conrelid = 'private.reports'::regclass and c.contype = 'f' and c.confdeltype = 'c'
           and a.attname not in ('author_id', 'user_id')`,
      ),
    ).toEqual(await names("select kind as name from private.report_kinds()"));
  });

  test("is refused when there is none of that name, whoever asks", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    for (const kind of ["", "unheard-of", "MESSAGE", "message'", "kinds", null]) {
      await world.refused(bob, "FF343", reportSql, [kind, ada, "Spam"]);
    }
    const admin = await world.admin();
    expect(await reportQueue(world, admin, "unheard-of")).toEqual([]);
    await world.refused(bob, "FF002", reportQueueSql, ["unheard-of"]);
    await world.refused("anon", "42501", reportSql, ["profile", ada, "Spam"]);
    for (const actor of [bob, "anon", "service_role"]) {
      await world.refused(actor, "42501", "select private.reported('profile', $1)", [ada]);
      await world.refused(actor, "42501", "select private.remove_reported_profile($1)", [ada]);
    }
    for (const each of ["message", "direct_message"]) {
      await world.refused(bob, "FF316", reportSql, [each, randomUUID(), "Spam"]);
      await world.refused(bob, "FF316", reportSql, [each, null, "Spam"]);
    }
  });

  test("is what the queue is asked for, or all of them", async ({ world }) => {
    const [ada, bob, admin] = [await world.member(), await world.member(), await world.admin()];
    const said = { user_id: ada, chat_room_id: "general", content: "Hello" };
    const { id: message } = await world.insert(ada, "chat_messages", said);
    await world.run(bob, reportSql, ["message", message, "Rude"]);
    await world.run(bob, reportSql, ["profile", ada, "Rude"]);
    const about = async (kind: string | null) =>
      (await reportQueue(world, admin, kind))
        .filter(({ subject_id }) => subject_id === message || subject_id === ada)
        .map(({ kind: found }) => found);
    expect(await about("message")).toEqual(["message"]);
    expect(await about("profile")).toEqual(["profile"]);
    expect(await about(null)).toEqual(["message", "profile"]);
  });

  test("is seen to have changed by everything that the report kept of it", async ({ world }) => {
    const [ada, bob, admin] = [await world.member(), await world.member(), await world.admin()];
    const row = { user_id: ada, submission_type: "failure", title: "A lesson", content: "Coins" };
    const { id } = await world.insert(ada, "learning_submissions", row);
    const changes = [
      ["profile", ada, "update public.profiles set first_name = 'Eve' where id = $1", ada],
      ["submission", id, "update public.learning_submissions set title = 'Gone' where id = $1", id],
    ] as const;
    for (const [kind, subject, change, changed] of changes) {
      await world.run(bob, reportSql, [kind, subject, "Spam"]);
      expect(await waitingReport(world, admin, subject)).toMatchObject({ is_changed: false });
      await world.run("owner", change, [changed]);
      expect(await waitingReport(world, admin, subject), kind).toMatchObject({ is_changed: true });
    }
  });

  test("is decided by no administrator about what is their own", async ({ world }) => {
    const [bob, admin] = [await world.member(), await world.admin()];
    const said = { user_id: admin, chat_room_id: "general", content: "Hello" };
    const { id } = await world.insert(admin, "chat_messages", said);
    await world.run(bob, reportSql, ["message", id, "Rude"]);
    const { report_id } = (await waitingReport(world, admin, id)) ?? {};
    for (const decision of ["keep", "remove"]) {
      await world.refused(admin, "FF513", resolveReportSql, [report_id, decision]);
    }
    await world.run(await world.admin(), resolveReportSql, [report_id, "remove"]);
  });

  test("is on the console's page of both members, whatever it is about", async ({ world }) => {
    const [ada, bob, admin] = [await world.member(), await world.member(), await world.admin()];
    await world.run(bob, reportSql, ["profile", ada, "Sells coins"]);
    const conduct = async (member: string) => {
      const sql = "select public.member_detail($1) -> 'conduct' as conduct";
      return (await world.one(admin, sql, [member]))["conduct"];
    };
    const report = { kind: "profile", reason: "Sells coins", decision: null, room: null };
    expect(await conduct(ada)).toMatchObject({
      reports_received: 1,
      reports_made: 0,
      reports: [{ ...report, is_about_member: true, other_id: bob }],
    });
    expect(await conduct(bob)).toMatchObject({
      reports_received: 0,
      reports_made: 1,
      reports: [{ ...report, is_about_member: false, other_id: ada }],
    });
  });

  test("is in the export of both sides, without the other", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    await world.run(bob, reportSql, ["profile", ada, "Sells coins"]);
    const made = await exportedReports(world, bob);
    expect(made).toMatchObject([{ kind: "profile", reason: "Sells coins", decision: null }]);
    expect(JSON.stringify(made)).not.toContain(ada);
    const about = await exportedReports(world, ada);
    expect(about).toMatchObject([{ kind: "profile", snapshot: { occupation: "Engineer" } }]);
    expect(JSON.stringify(about)).not.toMatch(new RegExp(`${bob}|Sells coins`));
  });
});
