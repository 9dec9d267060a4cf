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
import { test, type Row, type World } from "./world.ts";

const reportSql = "select public.report_message($1, $2)";
const resolve = "select public.resolve_message_report($1, $2)";
const queueSql = "select * from public.message_report_queue()";

/** The row of a message in the moderation queue; undefined when it is not in it. */
async function waiting(world: World, admin: string, id: unknown): Promise<Row | undefined> {
  return (await world.run(admin, queueSql)).find((row) => row["message_id"] === id);
}

describe("a report", () => {
  test("appears in the queue with everything needed to decide", async ({ world }) => {
    const [ada, bob, cleo] = [await world.member(), await world.member(), await world.member()];
    const admin = await world.admin();
    const { id } = await insertMessage(world, ada, "Rude");
    await world.run(bob, reportSql, [id, "  Insults me \u3000"]);
    await world.run(ada, editMessageSql, [id, "Polite"]);
    await world.run(cleo, reportSql, [id, "Spam"]);
    // One report for each member and message, with all they said.
    await world.run(bob, reportSql, [id, "Again"]);
    const row = await waiting(world, admin, id);
    expect(row).toMatchObject({
      chat_room_id: "general",
      room_name: "General",
      content: "Polite",
      reported_content: "Rude",
      author_id: ada,
      author_first_name: "Ada",
      author_last_name: "Byron",
      author_role: "student",
      reports: 2,
      reasons: ["Insults me\n\nAgain", "Spam"],
    });
    expect(row?.["first_reported_at"]).toBeInstanceOf(Date);
  });

  test("needs a reason, and a visible message of another member", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const { id } = await insertMessage(world, ada);
    for (const reason of [null, "", " \u200b", "x".repeat(501)]) {
      await world.refused(bob, "FF317", reportSql, [id, reason]);
    }
    await world.refused(ada, "FF318", reportSql, [id, "Mine"]);
    await world.refused(bob, "FF316", reportSql, [randomUUID(), "Gone"]);
    await raise(world, ada, 2);
    const high = await insertMessage(world, ada, "High", { chat_room_id: roomAt[2] });
    await world.refused(bob, "FF316", reportSql, [high["id"], "Unseen"]);
    await world.refused("anon", "42501", reportSql, [id, "Anonymous"]);
    await world.run(bob, reportSql, [id, "x".repeat(500)]);
    await world.run(ada, deleteMessageSql, [id]);
    await world.refused(await world.member(), "FF316", reportSql, [id, "Late"]);
  });

  test("is rate limited", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    await world.run(
      "owner",
      "update private.rate_limits set max_count = 1 where action = 'report'",
    );
    const [one, two] = [await insertMessage(world, ada), await insertMessage(world, ada)];
    await world.run(bob, reportSql, [one["id"], "Spam"]);
    await world.run(bob, reportSql, [one["id"], "Spam"]);
    await world.refused(bob, "FF300", reportSql, [two["id"], "Spam"]);
  });

  test("is read by administrators only, oldest first", async ({ world }) => {
    const [ada, bob, admin] = [await world.member(), await world.member(), await world.admin()];
    const ids: unknown[] = [];
    for (const n of [1, 2]) ids.push((await insertMessage(world, ada, `No. ${n}`))["id"]);
    for (const id of ids.toReversed()) await world.run(bob, reportSql, [id, "Spam"]);
    const age = `update private.message_reports set created_at = '2020-01-01' where message_id = $1`;
    await world.run("owner", age, [ids[0]]);
    const rows = (await world.run(admin, queueSql)).filter((row) =>
      ids.includes(row["message_id"]),
    );
    expect(rows.map((row) => row["message_id"])).toEqual(ids);
    for (const actor of [ada, bob]) {
      await world.refused(actor, "FF002", queueSql);
      await world.refused(actor, "FF002", resolve, [rows[0]?.["report_id"], "keep"]);
      await world.refused(actor, "42501", "select * from private.message_reports");
    }
    await world.refused("anon", "42501", queueSql);
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
      for (const member of [bob, cleo]) await world.run(member, reportSql, [id, "Insults me"]);
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
        "select decision, resolved_at is not null as done from private.message_reports where message_id = $1",
        [id],
      );
      expect(rows).toEqual([
        { decision, done: true },
        { decision, done: true },
      ]);
      // What is said after the decision is a report of its own; the decided ones stay decided.
      if (decision === "remove") return;
      await world.run(bob, reportSql, [id, "Still"]);
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
    for (const { id } of [one, two]) await world.run(bob, reportSql, [id, "Spam"]);
    await world.run(ada, deleteMessageSql, [one["id"]]);
    const row = await waiting(world, admin, one["id"]);
    expect(row).toMatchObject({ content: "", reported_content: "Hello" });
    await world.run(admin, resolve, [row?.["report_id"], "remove"]);
    expect(await waiting(world, admin, one["id"])).toBeUndefined();
    expect(await waiting(world, admin, two["id"])).toBeDefined();
  });

  test("is constrained for the server role as well", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const { id } = await insertMessage(world, ada);
    await world.run(bob, reportSql, [id, "Spam"]);
    const set = (what: string) =>
      `update private.message_reports set ${what} where message_id = $1`;
    for (const what of [
      "decision = 'ban', resolved_at = now()",
      "decision = 'keep'",
      "reason = ''",
    ]) {
      await world.refused("owner", "23514", set(what), [id]);
    }
    await world.run("owner", "delete from auth.users where id = $1", [bob]);
    expect(
      await world.run("owner", "select from private.message_reports where message_id = $1", [id]),
    ).toEqual([]);
  });
});
