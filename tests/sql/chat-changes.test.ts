import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { deleteSql, editSql, message, raise, roomAt, say } from "./chat-world.ts";
import { test, type World } from "./world.ts";

async function log(world: World, subject: string) {
  const sql =
    "select actor, action, detail from private.audit_log where subject = $1 and action like 'message%'";
  return await world.run("owner", sql, [subject]);
}

describe("editing", () => {
  test("changes text and edited_at only", async ({ world }) => {
    const ada = await world.member();
    const before = await say(world, ada, "Helo");
    await world.run(ada, editSql, [before["id"], "  Hello "]);
    const { content, edited_at, changed_at, ...rest } = await message(world, before["id"]);
    expect(content).toBe("Hello");
    expect(Number(edited_at)).toBeGreaterThanOrEqual(Number(before["created_at"]));
    expect(Number(changed_at)).toBeGreaterThanOrEqual(Number(edited_at));
    expect(before).toMatchObject(rest);
    // Sending the same text is not an edit.
    await world.run(ada, editSql, [before["id"], "Hello"]);
    expect((await message(world, before["id"]))["changed_at"]).toEqual(changed_at);
  });

  test("is allowed for the author only, not for administrators", async ({ world }) => {
    const [ada, mallory] = [await world.member(), await world.member()];
    const { id } = await say(world, ada);
    for (const actor of [mallory, await world.admin()]) {
      await world.refused(actor, "FF316", editSql, [id, "Hacked"]);
    }
    await world.refused("anon", "42501", editSql, [id, "Hacked"]);
    await world.refused(ada, "FF316", editSql, [randomUUID(), "Hello"]);
    expect((await message(world, id))["content"]).toBe("Hello");
  });

  test("checks the text and the rate limit", async ({ world }) => {
    const ada = await world.member();
    const { id } = await say(world, ada);
    await world.refused(ada, "FF312", editSql, [id, " \u200b "]);
    await world.refused(ada, "FF312", editSql, [id, null]);
    await world.refused(ada, "FF313", editSql, [id, "x".repeat(4001)]);
    await world.run(
      "owner",
      "update private.rate_limits set max_count = 1 where action = 'message'",
    );
    await world.refused(ada, "FF300", editSql, [id, "Too fast"]);
  });

  test("is refused after deletion, and without the level or the membership", async ({ world }) => {
    const ada = await world.member();
    await raise(world, ada, 2);
    const { id } = await say(world, ada, "High", { chat_room_id: roomAt[2] });
    const gone = await say(world, ada, "Gone");
    await world.run(ada, deleteSql, [gone["id"]]);
    await world.refused(ada, "FF316", editSql, [gone["id"], "Back"]);
    await raise(world, ada, 1);
    await world.refused(ada, "FF316", editSql, [id, "Higher"]);
    await raise(world, ada, 2);
    await world.setSubscriptionStatus(ada, "canceled");
    await world.refused(ada, "FF316", editSql, [id, "Higher"]);
  });
});

describe("deleting", () => {
  test("removes the text and keeps the row", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const before = await say(world, ada, "A secret");
    const reply = await say(world, bob, "I saw", { parent_message_id: before["id"] });
    await world.run(ada, deleteSql, [before["id"]]);
    const after = await message(world, before["id"]);
    expect(after).toMatchObject({ content: "", user_id: ada, created_at: before["created_at"] });
    expect(after["deleted_at"]).not.toBeNull();
    expect(await message(world, reply["id"])).toMatchObject({ parent_message_id: before["id"] });
    // Deleting again does nothing, and an author's own deletion is not audited.
    await world.run(ada, deleteSql, [before["id"]]);
    expect(await message(world, before["id"])).toEqual(after);
    expect(await log(world, ada)).toEqual([]);
  });

  test("is allowed for the author, even without access to the room", async ({ world }) => {
    const [ada, mallory] = [await world.member(), await world.member()];
    await raise(world, ada, 2);
    const { id } = await say(world, ada, "High", { chat_room_id: roomAt[2] });
    await raise(world, mallory, 2);
    await world.refused(mallory, "FF316", deleteSql, [id]);
    await world.refused("anon", "42501", deleteSql, [id]);
    await world.refused(ada, "FF316", deleteSql, [randomUUID()]);
    await world.setSubscriptionStatus(ada, "canceled");
    await world.run(ada, deleteSql, [id]);
    expect((await message(world, id))["content"]).toBe("");
  });

  test("by an administrator is audited without the text", async ({ world }) => {
    const [ada, admin] = [await world.member(), await world.admin()];
    const { id } = await say(world, ada, "Rude");
    await world.run(admin, deleteSql, [id]);
    await world.run(admin, deleteSql, [id]);
    expect((await message(world, id))["content"]).toBe("");
    const detail = { message_id: id, chat_room_id: "general" };
    expect(await log(world, ada)).toEqual([{ actor: admin, action: "message.deleted", detail }]);
    const own = await say(world, admin, "Mine");
    await world.run(admin, deleteSql, [own["id"]]);
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
