import { describe, expect } from "vitest";
import {
  deleteMessageSql,
  engagements,
  likeSql,
  readMessage,
  raise,
  roomAt,
  insertMessage,
  unlike,
} from "./chat-world.ts";
import { test, type World } from "./world.ts";

async function likes(world: World, id: unknown): Promise<number> {
  return Number((await readMessage(world, id))["like_count"]);
}

describe("a like", () => {
  test("is counted once, removed once, and is an engagement of the member who liked", async ({
    world,
  }) => {
    const [ada, bob, cleo] = [await world.member(), await world.member(), await world.member()];
    const { id } = await insertMessage(world, ada);
    await world.run(bob, likeSql, [bob, id]);
    await world.run(cleo, likeSql, [cleo, id]);
    await world.refused(bob, "23505", likeSql, [bob, id]);
    expect(await world.count(bob, `${likeSql} on conflict do nothing`, [bob, id])).toBe(0);
    expect(await likes(world, id)).toBe(2);
    expect([await engagements(world, ada), await engagements(world, bob)]).toEqual([1, 1]);
    expect(await world.count(bob, unlike, [bob, id])).toBe(1);
    expect(await world.count(bob, unlike, [bob, id])).toBe(0);
    expect(await likes(world, id)).toBe(1);
    // A progress event stays, and liking again adds none.
    await world.run(bob, likeSql, [bob, id]);
    expect(await likes(world, id)).toBe(2);
    expect(await engagements(world, bob)).toBe(1);
  });

  test("of your own message is counted, and is no progress event", async ({ world }) => {
    const ada = await world.member();
    const { id } = await insertMessage(world, ada);
    await world.run(ada, likeSql, [ada, id]);
    expect(await likes(world, id)).toBe(1);
    expect(await engagements(world, ada)).toBe(1);
  });

  test("cannot be added, removed or read for another member", async ({ world }) => {
    const [ada, bob, mallory] = [await world.member(), await world.member(), await world.member()];
    const { id } = await insertMessage(world, ada);
    await world.run(bob, likeSql, [bob, id]);
    await world.refused(mallory, "42501", likeSql, [ada, id]);
    expect(await world.count(mallory, unlike, [bob, id])).toBe(0);
    expect(await world.count(mallory, "delete from public.message_likes")).toBe(0);
    const all = "select message_id from public.message_likes";
    expect(await world.run(mallory, all)).toEqual([]);
    expect(await world.run(bob, all)).toEqual([{ message_id: id }]);
    for (const sql of [all, "delete from public.message_likes"]) {
      await world.refused("anon", "42501", sql);
    }
    await world.refused("anon", "42501", likeSql, [ada, id]);
    const move = "update public.message_likes set message_id = $1";
    await world.refused(bob, "42501", move, [id]);
    const old =
      "insert into public.message_likes (user_id, message_id, created_at) values ($1, $2, '2001-01-01')";
    await world.refused(mallory, "42501", old, [mallory, id]);
    expect(await likes(world, id)).toBe(1);
  });

  test("is refused for messages that are deleted or not visible", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    await raise(world, ada, 3);
    const high = await insertMessage(world, ada, "High", { chat_room_id: roomAt[3] });
    const gone = await insertMessage(world, ada, "Gone");
    await world.run(ada, deleteMessageSql, [gone["id"]]);
    for (const { id } of [high, gone]) await world.refused(bob, "FF316", likeSql, [bob, id]);
    await world.refused(bob, "FF316", likeSql, [bob, ada]);
    await raise(world, bob, 3);
    await world.run(bob, likeSql, [bob, high["id"]]);
    await raise(world, bob, 1);
    const other = await insertMessage(world, ada, "Higher", { chat_room_id: roomAt[3] });
    await world.refused(bob, "FF316", likeSql, [bob, other["id"]]);
    const low = await insertMessage(world, ada, "Low");
    await world.setSubscriptionStatus(bob, "canceled");
    await world.refused(bob, "FF316", likeSql, [bob, low["id"]]);
    // Removing a like needs neither level nor membership.
    expect(await world.count(bob, unlike, [bob, high["id"]])).toBe(1);
    expect(await likes(world, high["id"])).toBe(0);
  });

  test("is rate limited, and repeating a like does not count", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    await world.run("owner", "update private.rate_limits set max_count = 1 where action = 'like'");
    const [first, second] = [await insertMessage(world, ada), await insertMessage(world, ada)];
    await world.run(bob, likeSql, [bob, first["id"]]);
    expect(await world.count(bob, `${likeSql} on conflict do nothing`, [bob, first["id"]])).toBe(0);
    await world.refused(bob, "FF300", likeSql, [bob, second["id"]]);
    await world.run(bob, unlike, [bob, first["id"]]);
    expect(await likes(world, second["id"])).toBe(0);
  });

  test("of several messages at once counts for each", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const ids = [];
    for (const n of [1, 2, 3]) ids.push((await insertMessage(world, ada, `No. ${n}`))["id"]);
    const many =
      "insert into public.message_likes (user_id, message_id) select $1, unnest($2::uuid[])";
    await world.run(bob, many, [bob, ids]);
    for (const id of ids) expect(await likes(world, id)).toBe(1);
    expect(await engagements(world, bob)).toBe(3);
    await world.run(bob, "delete from public.message_likes where user_id = $1", [bob]);
    for (const id of ids) expect(await likes(world, id)).toBe(0);
  });

  test("is deleted with its account and with its message", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const [one, two] = [await insertMessage(world, ada), await insertMessage(world, bob)];
    await world.run(bob, likeSql, [bob, one["id"]]);
    await world.run(ada, likeSql, [ada, two["id"]]);
    await world.run("owner", "delete from auth.users where id = $1", [bob]);
    expect(await likes(world, one["id"])).toBe(0);
    expect(
      await world.run("owner", "select from public.message_likes where user_id = $1", [ada]),
    ).toEqual([]);
  });
});
