import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import {
  deleteMessageSql,
  editMessageSql,
  readMessage,
  raise,
  roomAt,
  insertMessage,
} from "./chat-world.ts";
import {
  reportQueue,
  reportQueueSql,
  reportSql,
  resolveReportSql as resolve,
  waitingReport,
} from "./report-world.ts";
import { test } from "./world.ts";

const kind = "message";
const waiting = waitingReport;

describe("a report", () => {
  test("appears in the queue with everything needed to decide", async ({ world }) => {
    const [ada, bob, cleo] = [await world.member(), await world.member(), await world.member()];
    const admin = await world.admin();
    const { id } = await insertMessage(world, ada, "Rude");
    await world.run(bob, reportSql, [kind, id, "  Insults me \u3000"]);
    await world.run(ada, editMessageSql, [id, "Polite"]);
    await world.run(cleo, reportSql, [kind, id, "Spam"]);
    // One report for each member and message, with all they said.
    await world.run(bob, reportSql, [kind, id, "Again"]);
    const row = await waiting(world, admin, id);
    expect(row).toMatchObject({
      kind: "message",
      place: { room_id: "general", room_name: "General", is_deleted: false },
      snapshot: { content: "Rude" },
      is_changed: true,
      author: { id: ada, name: "Ada Byron", role: "student" },
      reports: 2,
      reasons: ["Insults me\n\nAgain", "Spam"],
    });
    expect(row?.["first_reported_at"]).toEqual(expect.any(String));
    expect(JSON.stringify(row)).not.toContain("Polite");
  });

  test("needs a reason, and a visible message of another member", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const { id } = await insertMessage(world, ada);
    for (const reason of [null, "", " \u200b", "x".repeat(501)]) {
      await world.refused(bob, "FF317", reportSql, [kind, id, reason]);
    }
    await world.refused(ada, "FF318", reportSql, [kind, id, "Mine"]);
    await world.refused(bob, "FF316", reportSql, [kind, randomUUID(), "Gone"]);
    await raise(world, ada, 2);
    const high = await insertMessage(world, ada, "High", { chat_room_id: roomAt[2] });
    await world.refused(bob, "FF316", reportSql, [kind, high["id"], "Unseen"]);
    await world.refused("anon", "42501", reportSql, [kind, id, "Anonymous"]);
    await world.run(bob, reportSql, [kind, id, "x".repeat(500)]);
    await world.run(ada, deleteMessageSql, [id]);
    await world.refused(await world.member(), "FF316", reportSql, [kind, id, "Late"]);
  });

  test("is rate limited", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    await world.run(
      "owner",
      "update private.rate_limits set max_count = 1 where action = 'report'",
    );
    const [one, two] = [await insertMessage(world, ada), await insertMessage(world, ada)];
    await world.run(bob, reportSql, [kind, one["id"], "Spam"]);
    await world.run(bob, reportSql, [kind, one["id"], "Spam"]);
    await world.refused(bob, "FF300", reportSql, [kind, two["id"], "Spam"]);
  });

  test("is read by administrators only, oldest first", async ({ world }) => {
    const [ada, bob, admin] = [await world.member(), await world.member(), await world.admin()];
    const ids: unknown[] = [];
    for (const n of [1, 2]) ids.push((await insertMessage(world, ada, `No. ${n}`))["id"]);
    for (const id of ids.toReversed()) await world.run(bob, reportSql, [kind, id, "Spam"]);
    const age = `update private.reports set created_at = '2020-01-01' where message_id = $1`;
    await world.run("owner", age, [ids[0]]);
    const rows = (await reportQueue(world, admin, kind)).filter((row) =>
      ids.includes(row["subject_id"]),
    );
    expect(rows.map((row) => row["subject_id"])).toEqual(ids);
    for (const actor of [ada, bob]) {
      await world.refused(actor, "FF002", reportQueueSql, [null]);
      await world.refused(actor, "FF002", resolve, [rows[0]?.["report_id"], "keep"]);
      await world.refused(actor, "42501", "select * from private.reports");
    }
    await world.refused("anon", "42501", reportQueueSql, [null]);
    await world.refused("anon", "42501", resolve, [1, "keep"]);
  });
});

describe("a decision", () => {
  test.for([
    ["keep", "message.kept", "Rude"],
    ["remove", "message.removed", ""],
  ] as const)(
    "to %s closes every report of the message once, audited",
    async ([decision, action, left], { world }) => {
      const [ada, bob, cleo] = [await world.member(), await world.member(), await world.member()];
      const admin = await world.admin();
      const { id } = await insertMessage(world, ada, "Rude");
      for (const member of [bob, cleo])
        await world.run(member, reportSql, [kind, id, "Insults me"]);
      const report = (await waiting(world, admin, id))?.["report_id"];
      await world.run(admin, resolve, [report, decision]);
      expect(await waiting(world, admin, id)).toBeUndefined();
      expect((await readMessage(world, id))["content"]).toBe(left);
      const entries = await world.run(
        "owner",
        "select actor, detail from private.audit_log where subject = $1 and action = $2",
        [ada, action],
      );
      expect(entries).toMatchObject([{ actor: admin, detail: { message_id: id } }]);
      await world.refused(admin, "FF320", resolve, [report, decision]);
      const rows = await world.run(
        "owner",
        "select decision, resolved_at is not null as done from private.reports where message_id = $1",
        [id],
      );
      expect(rows).toEqual([
        { decision, done: true },
        { decision, done: true },
      ]);
      // What is said after the decision is a report of its own; the decided ones stay decided.
      if (decision === "remove") return;
      await world.run(bob, reportSql, [kind, id, "Still"]);
      expect(await waiting(world, admin, id)).toMatchObject({ reports: 1, reasons: ["Still"] });
    },
  );

  test("is keep or remove, about an open report", async ({ world }) => {
    const admin = await world.admin();
    for (const decision of [null, "", "ban"])
      await world.refused(admin, "FF319", resolve, [1, decision]);
    await world.refused(admin, "FF320", resolve, [-1, "keep"]);
    await world.refused(admin, "FF320", resolve, [null, "keep"]);
  });

  test("also closes reports of a message its author deleted meanwhile, and no others", async ({
    world,
  }) => {
    const [ada, bob, admin] = [await world.member(), await world.member(), await world.admin()];
    const [one, two] = [await insertMessage(world, ada), await insertMessage(world, ada)];
    for (const { id } of [one, two]) await world.run(bob, reportSql, [kind, id, "Spam"]);
    await world.run(ada, deleteMessageSql, [one["id"]]);
    const row = await waiting(world, admin, one["id"]);
    expect(row).toMatchObject({
      is_changed: true,
      place: { is_deleted: true },
      snapshot: { content: "Hello" },
    });
    await world.run(admin, resolve, [row?.["report_id"], "remove"]);
    expect(await waiting(world, admin, one["id"])).toBeUndefined();
    expect(await waiting(world, admin, two["id"])).toBeDefined();
  });

  test("is constrained for the server role as well", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const { id } = await insertMessage(world, ada);
    await world.run(bob, reportSql, [kind, id, "Spam"]);
    const set = (what: string) => `update private.reports set ${what} where message_id = $1`;
    for (const what of [
      "decision = 'ban', resolved_at = now()",
      "decision = 'keep'",
      "reason = ''",
    ]) {
      await world.refused("owner", "23514", set(what), [id]);
    }
    await world.run("owner", "delete from auth.users where id = $1", [bob]);
    expect(
      await world.run("owner", "select from private.reports where message_id = $1", [id]),
    ).toEqual([]);
  });
});
