import { describe, expect } from "vitest";
import { deleteMessageSql, insertMessage, openRoom, raise, readOverview } from "./chat-world.ts";
import { test, type World } from "./world.ts";

const readSql = "select public.mark_room_read($1, now() + interval '1 hour')";

async function unreadRooms(world: World, member: string): Promise<number> {
  return Number((await world.one(member, "select public.unread_rooms() as n"))["n"]);
}

/** A member who has read everything until now. */
async function caughtUp(world: World): Promise<string> {
  const member = await world.member();
  await world.run("owner", "update auth.users set created_at = clock_timestamp() where id = $1", [
    member,
  ]);
  return member;
}

describe("the number at Chats", () => {
  test("counts rooms with messages of others, not the messages", async ({ world }) => {
    const [ada, tom] = [await caughtUp(world), await world.member()];
    const [one, other] = [await openRoom(world), await openRoom(world)];
    expect(await unreadRooms(world, ada)).toBe(0);
    for (const content of ["One", "Two", "Three"]) {
      await insertMessage(world, tom, content, { chat_room_id: one });
    }
    expect(await unreadRooms(world, ada)).toBe(1);
    const { id } = await insertMessage(world, tom, "Four", { chat_room_id: other });
    expect(await unreadRooms(world, ada)).toBe(2);
    await world.run(ada, readSql, [one]);
    expect(await unreadRooms(world, ada)).toBe(1);
    await world.run(tom, deleteMessageSql, [id]);
    expect(await unreadRooms(world, ada)).toBe(0);
    await insertMessage(world, ada, "My own", { chat_room_id: one });
    expect(await unreadRooms(world, ada)).toBe(0);
  });

  test("leaves out rooms above the level, closed ones, and everything after a lapse", async ({
    world,
  }) => {
    const [ada, tom] = [await caughtUp(world), await world.member()];
    await raise(world, tom, 2);
    const room = await openRoom(world, 2);
    await insertMessage(world, tom, "Secret", { chat_room_id: room });
    expect(await unreadRooms(world, ada)).toBe(0);
    await raise(world, ada, 2);
    expect(await unreadRooms(world, ada)).toBe(1);
    await world.run("owner", "update public.chat_rooms set is_active = false where id = $1", [
      room,
    ]);
    expect(await unreadRooms(world, ada)).toBe(0);
    await world.run("owner", "update public.chat_rooms set is_active = true where id = $1", [room]);
    await world.setSubscriptionStatus(ada, "canceled");
    expect(await unreadRooms(world, ada)).toBe(0);
  });

  test("and the list say nothing of a member one has blocked, who learns nothing", async ({
    world,
  }) => {
    const [ada, tom] = [await caughtUp(world), await caughtUp(world)];
    const room = await openRoom(world);
    await world.run(ada, "select public.block_member($1)", [tom]);
    await insertMessage(world, tom, "Hello", { chat_room_id: room });
    await insertMessage(world, ada, "Hello", { chat_room_id: room });
    expect(await unreadRooms(world, ada)).toBe(0);
    expect(await readOverview(world, ada, room)).toMatchObject({ unread_count: 0 });
    expect(await unreadRooms(world, tom)).toBe(1);
    expect(await readOverview(world, tom, room)).toMatchObject({ unread_count: 1 });
  });

  test("is refused to visitors", async ({ world }) => {
    await world.refused("anon", "42501", "select public.unread_rooms()");
    await world.refused("service_role", "42501", "select public.unread_rooms()");
  });
});
