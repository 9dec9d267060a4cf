import { describe, expect } from "vitest";
import { deleteMessageSql, editMessageSql, insertMessage, openRoom, raise } from "./chat-world.ts";
import { test, type World } from "./world.ts";

const pinSql = "select public.pin_message($1)";
const unpinSql = "select public.unpin_message($1)";
const pinsSql = "select * from public.room_pins($1)";

async function pins(world: World, who: string, room: string): Promise<unknown[]> {
  return (await world.run(who, pinsSql, [room])).map((row) => row["message_id"]);
}

/** How often the room's channel told of its pins. */
async function announced(world: World, room: string): Promise<number> {
  const sql = `select count(*)::int as n from realtime.messages
    where topic = 'room:' || $1 and event = 'pins' and payload - 'id' = '{}' and private`;
  return Number((await world.one("owner", sql, [room]))["n"]);
}

describe("a pin", () => {
  test("shows a message to everyone in the room, is announced, and is audited", async ({
    world,
  }) => {
    const [admin, ada, bob] = [await world.admin(), await world.member(), await world.member()];
    const room = await openRoom(world);
    const long = await insertMessage(world, ada, "W".repeat(300), { chat_room_id: room });
    const second = await insertMessage(world, bob, "Second", { chat_room_id: room });
    await world.run(admin, pinSql, [long["id"]]);
    await world.run(admin, pinSql, [second["id"]]);
    await world.run(admin, pinSql, [second["id"]]);
    expect(await pins(world, bob, room)).toEqual([second["id"], long["id"]]);
    expect((await world.run(bob, pinsSql, [room]))[1]).toMatchObject({
      user_id: ada,
      author_first_name: "Ada",
      content: "W".repeat(200),
    });
    expect(await announced(world, room)).toBe(2);
    await world.run(admin, unpinSql, [long["id"]]);
    await world.run(admin, unpinSql, [long["id"]]);
    expect(await pins(world, bob, room)).toEqual([second["id"]]);
    expect(await announced(world, room)).toBe(3);
    const log = `select action, actor, subject, detail->>'message_id' as message from private.audit_log
      where actor = $1 order by id`;
    expect(await world.run("owner", log, [admin])).toEqual([
      { action: "message.pinned", actor: admin, subject: ada, message: long["id"] },
      { action: "message.pinned", actor: admin, subject: bob, message: second["id"] },
      { action: "message.unpinned", actor: admin, subject: ada, message: long["id"] },
    ]);
  });

  test("is refused to students and mentors, who cannot write it by any call", async ({ world }) => {
    const [ada, mentor] = [await world.member(), await world.member("mentor-access")];
    const admin = await world.admin();
    const room = await openRoom(world);
    const { id } = await insertMessage(world, ada, "Mine", { chat_room_id: room });
    for (const who of [ada, mentor]) {
      await world.refused(who, "FF321", pinSql, [id]);
      await world.refused(who, "42501", "insert into private.room_pins values ($1, $2)", [
        id,
        room,
      ]);
      await world.refused(who, "42501", "select from private.room_pins");
    }
    await world.refused("anon", "42501", pinSql, [id]);
    await world.run(admin, pinSql, [id]);
    for (const who of [ada, mentor]) await world.refused(who, "FF321", unpinSql, [id]);
    expect(await pins(world, ada, room)).toEqual([id]);
  });

  test("is one of five at most", async ({ world }) => {
    const [admin, ada, room] = [await world.admin(), await world.member(), await openRoom(world)];
    const ids = [];
    for (const n of [1, 2, 3, 4, 5, 6]) {
      ids.push((await insertMessage(world, ada, `No. ${n}`, { chat_room_id: room }))["id"]);
    }
    for (const id of ids.slice(0, 5)) await world.run(admin, pinSql, [id]);
    await world.refused(admin, "FF322", pinSql, [ids[5]]);
    // One that is pinned already is no sixth.
    await world.run(admin, pinSql, [ids[0]]);
    await world.run(admin, unpinSql, [ids[2]]);
    await world.run(admin, pinSql, [ids[5]]);
    expect(await pins(world, ada, room)).toEqual([ids[5], ids[4], ids[3], ids[1], ids[0]]);
  });

  test("is read by those who may read the room now", async ({ world }) => {
    const [admin, ada] = [await world.admin(), await world.member()];
    const room = await openRoom(world, 3);
    await raise(world, ada, 3);
    const { id } = await insertMessage(world, ada, "High", { chat_room_id: room });
    await world.run(admin, pinSql, [id]);
    expect(await pins(world, ada, room)).toEqual([id]);
    await raise(world, ada, 2);
    await world.refused(ada, "FF311", pinsSql, [room]);
    await world.refused(ada, "FF310", pinsSql, ["cellar"]);
    await world.refused("anon", "42501", pinsSql, [room]);
    await world.setSubscriptionStatus(ada, "canceled");
    await world.refused(ada, "FF311", pinsSql, [room]);
  });

  test("goes with its message, and an edited text is read again", async ({ world }) => {
    const [admin, ada, room] = [await world.admin(), await world.member(), await openRoom(world)];
    const kept = await insertMessage(world, ada, "Kept", { chat_room_id: room });
    const gone = await insertMessage(world, ada, "Gone", { chat_room_id: room });
    const other = await insertMessage(world, ada, "Other", { chat_room_id: room });
    for (const { id } of [kept, gone]) await world.run(admin, pinSql, [id]);
    const before = await announced(world, room);
    await world.run(ada, editMessageSql, [other["id"], "No pin"]);
    expect(await announced(world, room)).toBe(before);
    await world.run(ada, editMessageSql, [kept["id"], "Kept and edited"]);
    expect(await announced(world, room)).toBe(before + 1);
    expect((await world.run(ada, pinsSql, [room]))[1]).toMatchObject({
      content: "Kept and edited",
    });
    await world.run(ada, deleteMessageSql, [gone["id"]]);
    expect(await announced(world, room)).toBe(before + 2);
    expect(await pins(world, ada, room)).toEqual([kept["id"]]);
    await world.refused(admin, "FF316", pinSql, [gone["id"]]);
    await world.run("owner", "delete from auth.users where id = $1", [ada]);
    expect(
      await world.run("owner", "select from private.room_pins where chat_room_id = $1", [room]),
    ).toEqual([]);
  });
});
