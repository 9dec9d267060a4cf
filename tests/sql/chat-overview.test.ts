import { describe, expect } from "vitest";
import {
  deleteMessageSql,
  editMessageSql,
  joinSql,
  openRoom,
  raise,
  roomAt,
  insertMessage,
  readOverview,
  overviewSql,
} from "./chat-world.ts";
import { test } from "./world.ts";

describe("the overview", () => {
  test("lists every room by level and name, without activity of locked ones", async ({ world }) => {
    const ada = await world.member();
    const admin = await world.admin();
    await insertMessage(world, admin, "Hello", { chat_room_id: roomAt[2] });
    const rooms = await world.run(ada, overviewSql);
    const listed = await world.run(
      ada,
      "select id, name, description, min_level_required, participant_count from public.chat_rooms order by min_level_required, name",
    );
    expect(rooms).toMatchObject(listed);
    expect(rooms).toHaveLength(19);
    expect(await readOverview(world, ada, roomAt[2])).toMatchObject({
      unread_count: 0,
      last_message_at: null,
      last_message: null,
      last_author_id: null,
      last_author: null,
    });
    await raise(world, ada, 2);
    expect((await readOverview(world, ada, roomAt[2]))["unread_count"]).toBeGreaterThan(0);
    expect((await readOverview(world, ada, roomAt[2]))["last_message_at"]).toBeInstanceOf(Date);
  });

  test("shows newcomers and lapsed members the rooms without any activity, and visitors nothing", async ({
    world,
  }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    await world.setSubscriptionStatus(ada, "canceled");
    await world.run(bob, joinSql, [roomAt[1]]);
    await insertMessage(world, bob, "Hello", { chat_room_id: roomAt[1] });
    expect((await readOverview(world, bob, roomAt[1]))["participant_count"]).toBeGreaterThan(0);
    for (const actor of [ada, await world.newcomer()]) {
      const rooms = await world.run(actor, overviewSql);
      expect(rooms).toHaveLength(19);
      for (const room of rooms)
        expect(room).toMatchObject({
          participant_count: 0,
          unread_count: 0,
          last_message_at: null,
          last_message: null,
          last_author_id: null,
          last_author: null,
        });
    }
    expect(await world.run(await world.admin(), overviewSql)).toHaveLength(19);
    await world.refused("anon", "42501", overviewSql);
    await world.run("owner", "update public.chat_rooms set is_active = false where id = 'general'");
    expect(await world.run(await world.admin(), overviewSql)).toHaveLength(18);
  });
});

describe("the last line of a room", () => {
  test("is the beginning of its newest message with its author, and empty once deleted", async ({
    world,
  }) => {
    const [ada, bob, room] = [await world.member(), await world.member(), await openRoom(world)];
    await world.run("owner", "update public.profiles set first_name = 'Bob' where id = $1", [bob]);
    expect(await readOverview(world, ada, room)).toMatchObject({
      last_message: null,
      last_author: null,
    });
    await insertMessage(world, ada, "First", { chat_room_id: room });
    const { id } = await insertMessage(world, bob, "Q".repeat(300), { chat_room_id: room });
    const line = { last_author_id: bob, last_author: "Bob" };
    expect(await readOverview(world, ada, room)).toMatchObject({
      ...line,
      last_message: `${"Q".repeat(139)}…`,
    });
    await world.run(bob, "select public.delete_message($1)", [id]);
    expect(await readOverview(world, ada, room)).toMatchObject({ ...line, last_message: "" });
  });

  test("is announced when it is edited or deleted, and what was said before it is not", async ({
    world,
  }) => {
    const [ada, room] = [await world.member(), await openRoom(world)];
    const { id: first } = await insertMessage(world, ada, "First", { chat_room_id: room });
    const { id: last } = await insertMessage(world, ada, "Last", { chat_room_id: room });
    const sent =
      "select count(*)::int as n from realtime.messages where topic = 'rooms' and event = 'changed' and payload ->> 'id' = $1";
    const announced = async () => (await world.one("owner", sent, [room]))["n"];
    const before = Number(await announced());
    await world.run(ada, editMessageSql, [first, "First of all"]);
    await world.run(ada, deleteMessageSql, [first]);
    expect(await announced()).toBe(before);
    await world.run(ada, editMessageSql, [last, "Last words"]);
    expect(await announced()).toBe(before + 1);
    await world.run(ada, deleteMessageSql, [last]);
    expect(await announced()).toBe(before + 2);
  });
});
