import { describe, expect } from "vitest";
import { insertMessage } from "./chat-world.ts";
import { exportedReports, reportSql, resolveReportSql, waitingReport } from "./report-world.ts";
import { test, type World } from "./world.ts";

const chooseSql = "select public.report($1, $2, $3, $4)";

async function readBell(world: World, member: string) {
  const { bell } = await world.one(member, "select public.my_notifications() as bell");
  return (bell as { items: readonly unknown[] }).items;
}

describe("what a reporter chooses from the list", () => {
  test("is enough without words, and stands in the queue beside them", async ({ world }) => {
    const [ada, bob, cleo] = [await world.member(), await world.member(), await world.member()];
    const [dan, admin] = [await world.member(), await world.admin()];
    const { id } = await insertMessage(world, ada, "Coins");
    for (const nothing of [null, "", " \u200b"]) {
      await world.run(bob, chooseSql, ["message", id, nothing, "scam"]);
    }
    await world.run(cleo, chooseSql, ["message", id, " In every room ", "spam"]);
    await world.run(dan, reportSql, ["message", id, "Rude"]);
    expect(await waitingReport(world, admin, id)).toMatchObject({
      reports: 3,
      categories: ["scam", "spam", null],
      reasons: ["", "In every room", "Rude"],
    });
    const { report_id } = (await waitingReport(world, admin, id)) ?? {};
    await world.run(admin, resolveReportSql, [report_id, "keep"]);
    // The bell names the report by its words, or else by what was chosen.
    expect(await readBell(world, bob)).toMatchObject([{ kind: "report_decided", why: "scam" }]);
    expect(await readBell(world, dan)).toMatchObject([{ kind: "report_decided", excerpt: "Rude" }]);
  });

  test("is of every kind of report", async ({ world }) => {
    const [ada, bob, admin] = [await world.member(), await world.member(), await world.admin()];
    const row = { user_id: ada, submission_type: "failure", title: "A lesson", content: "Coins" };
    const { id } = await world.insert(ada, "learning_submissions", row);
    for (const [kind, subject] of [
      ["submission", id],
      ["profile", ada],
    ]) {
      await world.run(bob, chooseSql, [kind, subject, null, "danger"]);
      expect(await waitingReport(world, admin, subject)).toMatchObject({ categories: ["danger"] });
    }
  });

  test("must be in the list, and needs words where it says nothing", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const { id } = await insertMessage(world, ada);
    for (const unheard of ["", "SPAM", "rude", "spam "]) {
      await world.refused(bob, "FF345", chooseSql, ["message", id, "Rude", unheard]);
    }
    for (const nothing of [null, "", " \u200b"]) {
      await world.refused(bob, "FF317", chooseSql, ["message", id, nothing, "other"]);
      await world.refused(bob, "FF317", chooseSql, ["message", id, nothing, null]);
    }
    await world.refused(bob, "FF317", chooseSql, ["message", id, "x".repeat(501), "spam"]);
    await world.refused(ada, "FF318", chooseSql, ["message", id, null, "spam"]);
    await world.refused("anon", "42501", chooseSql, ["message", id, null, "spam"]);
    await world.run(bob, chooseSql, ["message", id, "Rude", "other"]);
  });

  test("is replaced by a later choice while the report is open, and the words are added", async ({
    world,
  }) => {
    const [ada, bob, admin] = [await world.member(), await world.member(), await world.admin()];
    await world.run(
      "owner",
      "update private.rate_limits set max_count = 3 where action = 'report'",
    );
    const { id } = await insertMessage(world, ada);
    const said = async () => {
      const { categories, reasons } = (await waitingReport(world, admin, id)) ?? {};
      return [categories, reasons];
    };
    await world.run(bob, chooseSql, ["message", id, null, "spam"]);
    await world.run(bob, chooseSql, ["message", id, "Coins", null]);
    expect(await said()).toEqual([["spam"], ["Coins"]]);
    // What was said already counts as nothing.
    await world.run(bob, chooseSql, ["message", id, "Coins", "spam"]);
    await world.run(bob, chooseSql, ["message", id, "Coins", "scam"]);
    expect(await said()).toEqual([["scam"], ["Coins"]]);
    await world.refused(bob, "FF300", chooseSql, ["message", id, "And rude", "scam"]);
  });

  test("is in the reporter's export and on the console's page, and not in the author's export", async ({
    world,
  }) => {
    const [ada, bob, admin] = [await world.member(), await world.member(), await world.admin()];
    await world.run(bob, chooseSql, ["profile", ada, null, "harassment"]);
    expect(await exportedReports(world, bob)).toMatchObject([
      { kind: "profile", category: "harassment", reason: null },
    ]);
    expect(JSON.stringify(await exportedReports(world, ada))).not.toContain("harassment");
    const sql = "select public.member_detail($1) -> 'conduct' -> 'reports' as reports";
    expect((await world.one(admin, sql, [ada]))["reports"]).toMatchObject([
      { category: "harassment", reason: "" },
    ]);
  });
});
