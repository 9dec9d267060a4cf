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
import { explanation, removeMessageSql } from "./report-world.ts";
import { test, type World } from "./world.ts";

async function log(world: World, subject: string) {
  const sql =
    "select actor, action, detail from private.audit_log where subject = $1 and action like 'message%' order by id";
  return await world.run("owner", sql, [subject]);
}

describe("editing", () => {
  test("changes text and edited_at only", async ({ world }) => {
    const ada = await world.member();
    const before = await insertMessage(world, ada, "Helo");
    await world.run(ada, editMessageSql, [before["id"], "  Hello "]);
    const { content, edited_at, changed_at, ...rest } = await readMessage(world, before["id"]);
    expect(content).toBe("Hello");
    expect(Number(edited_at)).toBeGreaterThanOrEqual(Number(before["created_at"]));
    expect(Number(changed_at)).toBeGreaterThanOrEqual(Number(edited_at));
    expect(before).toMatchObject(rest);
    // Sending the same text is not an edit.
    await world.run(ada, editMessageSql, [before["id"], "Hello"]);
    expect((await readMessage(world, before["id"]))["changed_at"]).toEqual(changed_at);
  });

  test("is allowed for the author only, not for administrators", async ({ world }) => {
    const [ada, mallory] = [await world.member(), await world.member()];
    const { id } = await insertMessage(world, ada);
    for (const actor of [mallory, await world.admin()]) {
      await world.refused(actor, "FF316", editMessageSql, [id, "Hacked"]);
    }
    await world.refused("anon", "42501", editMessageSql, [id, "Hacked"]);
    await world.refused(ada, "FF316", editMessageSql, [randomUUID(), "Hello"]);
    expect((await readMessage(world, id))["content"]).toBe("Hello");
  });

  test("checks the text and the rate limit", async ({ world }) => {
    const ada = await world.member();
    const { id } = await insertMessage(world, ada);
    await world.refused(ada, "FF312", editMessageSql, [id, " \u200b "]);
    await world.refused(ada, "FF312", editMessageSql, [id, null]);
    await world.refused(ada, "FF313", editMessageSql, [id, "x".repeat(4001)]);
    await world.run(
      "owner",
      "update private.rate_limits set max_count = 1 where action = 'message'",
    );
    await world.refused(ada, "FF300", editMessageSql, [id, "Too fast"]);
  });

  test("is refused after deletion, and without the level or the membership", async ({ world }) => {
    const ada = await world.member();
    await raise(world, ada, 2);
    const { id } = await insertMessage(world, ada, "High", { chat_room_id: roomAt[2] });
    const gone = await insertMessage(world, ada, "Gone");
    await world.run(ada, deleteMessageSql, [gone["id"]]);
    await world.refused(ada, "FF316", editMessageSql, [gone["id"], "Back"]);
    await raise(world, ada, 1);
    await world.refused(ada, "FF316", editMessageSql, [id, "Higher"]);
    await raise(world, ada, 2);
    await world.setSubscriptionStatus(ada, "canceled");
    await world.refused(ada, "FF316", editMessageSql, [id, "Higher"]);
  });
});

describe("deleting", () => {
  test("removes the text and keeps the row", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const before = await insertMessage(world, ada, "A secret");
    const reply = await insertMessage(world, bob, "I saw", { parent_message_id: before["id"] });
    await world.run(ada, deleteMessageSql, [before["id"]]);
    const after = await readMessage(world, before["id"]);
    expect(after).toMatchObject({ content: "", user_id: ada, created_at: before["created_at"] });
    expect(after["deleted_at"]).not.toBeNull();
    expect(await readMessage(world, reply["id"])).toMatchObject({
      parent_message_id: before["id"],
    });
    // Deleting again does nothing, and an author's own deletion is not audited.
    await world.run(ada, deleteMessageSql, [before["id"]]);
    expect(await readMessage(world, before["id"])).toEqual(after);
    expect(await log(world, ada)).toEqual([]);
  });

  test("is allowed for the author, even without access to the room", async ({ world }) => {
    const [ada, mallory] = [await world.member(), await world.member()];
    await raise(world, ada, 2);
    const { id } = await insertMessage(world, ada, "High", { chat_room_id: roomAt[2] });
    await raise(world, mallory, 2);
    await world.refused(mallory, "FF316", deleteMessageSql, [id]);
    await world.refused("anon", "42501", deleteMessageSql, [id]);
    await world.refused(ada, "FF316", deleteMessageSql, [randomUUID()]);
    await world.setSubscriptionStatus(ada, "canceled");
    await world.run(ada, deleteMessageSql, [id]);
    expect((await readMessage(world, id))["content"]).toBe("");
  });

  test("by an administrator is audited without the text", async ({ world }) => {
    const [ada, admin] = [await world.member(), await world.admin()];
    const { id } = await insertMessage(world, ada, "Rude");
    await world.run(admin, removeMessageSql, [id]);
    await world.run(admin, removeMessageSql, [id]);
    // It is gone: nothing is asked for any more.
    await world.run(admin, deleteMessageSql, [id]);
    expect((await readMessage(world, id))["content"]).toBe("");
    const detail = { message_id: id, chat_room_id: "general", reason: explanation };
    expect(await log(world, ada)).toEqual([{ actor: admin, action: "message.deleted", detail }]);
    const own = await insertMessage(world, admin, "Mine");
    await world.run(admin, deleteMessageSql, [own["id"]]);
    expect(await log(world, admin)).toEqual([]);
  });
});

test.for(["chat_rooms", "chat_messages", "message_likes", "chat_room_reads"])(
  "the server role may read and write %s, but not truncate it",
  async (table, { world }) => {
    const [key = {}] = await world.run(
      "owner",
      "select attname from pg_attribute where attrelid = $1::regclass and attnum = 1",
      [`public.${table}`],
    );
    const column = String(key["attname"]);
    for (const sql of [
      `insert into public.${table} select * from public.${table} limit 0`,
      `update public.${table} set ${column} = ${column} where false`,
      `delete from public.${table} where false`,
    ]) {
      expect(await world.count("service_role", sql)).toBe(0);
    }
    await world.refused("service_role", "42501", `truncate public.${table}`);
  },
);
