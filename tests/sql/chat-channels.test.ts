import { describe, expect } from "vitest";
import { channelRights, mayListen, mayNothing } from "./channel-rights.ts";
import { joinSql, leave, openRoom, raise, roomAt } from "./chat-world.ts";
import { test, type World } from "./world.ts";

describe("the private channel of a room", () => {
  test("is open to members while they may read the room", async ({ world }) => {
    const ada = await world.member();
    for (const level of [1, 2, 3, 4, 2] as const) {
      await raise(world, ada, level);
      for (const needed of [1, 2, 3, 4] as const) {
        const expected = needed <= level ? mayListen : mayNothing;
        expect(await channelRights(world, ada, `room:${roomAt[needed]}`)).toEqual(expected);
      }
    }
    await world.setSubscriptionStatus(ada, "canceled");
    expect(await channelRights(world, ada, "room:general")).toEqual(mayNothing);
    expect(await channelRights(world, await world.admin(), "room:legacy")).toEqual(mayListen);
  });

  test("is closed to visitors and newcomers, and when the room is inactive", async ({ world }) => {
    const ada = await world.member();
    for (const actor of ["anon", await world.newcomer(), await world.account()]) {
      expect(await channelRights(world, actor, "room:general")).toEqual(mayNothing);
    }
    await world.run("owner", "update public.chat_rooms set is_active = false where id = 'general'");
    expect(await channelRights(world, ada, "room:general")).toEqual(mayNothing);
  });

  test.for([
    "general",
    "room:",
    "room:cellar",
    "room:general ",
    "ROOM:general",
    "rooms:general",
    "room:room:general",
  ])("is no other topic, such as %j", async (topic, { world }) => {
    expect(await channelRights(world, await world.member(), topic)).toEqual(mayNothing);
  });

  test("carries broadcasts from the database only", async ({ world }) => {
    const ada = await world.member();
    await world.run("owner", "select set_config('realtime.topic', 'room:general', true)");
    const probe = "insert into realtime.messages (topic, extension) values ('room:general', $1)";
    for (const extension of ["broadcast", "presence", "postgres_changes"]) {
      await world.refused(ada, "42501", probe, [extension]);
      await world.run("owner", probe, [extension]);
    }
    const seen =
      "select distinct extension from realtime.messages where topic = 'room:general' order by 1";
    expect(await world.run(ada, seen)).toEqual([{ extension: "broadcast" }]);
    expect(await world.run("anon", seen)).toEqual([]);
    const update = "update realtime.messages set payload = '{}' where topic = 'room:general'";
    expect(await world.count(ada, update)).toBe(0);
  });
});

/** The broadcasts to a room, oldest first: by command of the transaction, because a row may take the place of a vacuumed one. */
async function told(world: World, room: string): Promise<Record<string, unknown>[]> {
  const rows = await world.run(
    "owner",
    "select event, payload - 'id' as payload, private from realtime.messages where topic = 'room:' || $1 order by cmin::text::bigint",
    [room],
  );
  return rows;
}

describe("the participants of a room", () => {
  test("are broadcast when a lease begins or ends, not when it is renewed", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const room = await openRoom(world);
    for (const who of [ada, bob, ada]) await world.run(who, joinSql, [room]);
    await world.run(ada, leave, [room]);
    await world.run(ada, leave, [room]);
    await world.run("owner", "delete from private.room_leases where chat_room_id = $1", [room]);
    const people = (payload: object) => ({ event: "participants", payload, private: true });
    expect(await told(world, room)).toEqual([
      people({ joined: [ada] }),
      people({ joined: [bob] }),
      people({ left: [ada] }),
      people({ left: [bob] }),
    ]);
  });

  test("are broadcast in parts of 500", async ({ world }) => {
    const room = await openRoom(world);
    await world.run(
      "owner",
      `with accounts as (insert into auth.users (id) select gen_random_uuid() from generate_series(1, 501) returning id)
       insert into private.room_leases (user_id, chat_room_id, expires_at) select id, $1, now() from accounts`,
      [room],
    );
    const sizes = (await told(world, room)).map(
      ({ payload }) => (payload as { joined: string[] }).joined.length,
    );
    expect(sizes.toSorted((a, b) => b - a)).toEqual([500, 1]);
  });

  test("are listed for members who may read the room only", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const room = await openRoom(world, 2);
    await raise(world, bob, 2);
    await world.run(bob, joinSql, [room]);
    const list = "select room_participants as id from public.room_participants($1)";
    expect(await world.run(bob, list, [room])).toEqual([{ id: bob }]);
    await world.refused(ada, "FF311", list, [room]);
    await world.refused(await world.newcomer(), "FF311", list, [room]);
    await world.refused("anon", "42501", list, [room]);
    await world.refused(bob, "FF310", list, ["cellar"]);
    await world.setSubscriptionStatus(bob, "canceled");
    await world.refused(bob, "FF311", list, [room]);
  });
});

describe("typing", () => {
  const tell = "select public.notify_typing($1)";

  test("is broadcast with the caller's id, by members who may read the room", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const room = await openRoom(world, 2);
    await raise(world, bob, 2);
    await world.run(bob, tell, [room]);
    await world.refused(ada, "FF311", tell, [room]);
    await world.refused(bob, "FF310", tell, ["cellar"]);
    await world.refused("anon", "42501", tell, [room]);
    await world.setSubscriptionStatus(bob, "canceled");
    await world.refused(bob, "FF311", tell, [room]);
    expect(await told(world, room)).toEqual([
      { event: "typing", payload: { user_id: bob }, private: true },
    ]);
  });

  test("is limited to 60 a minute", async ({ world }) => {
    const ada = await world.member();
    const room = await openRoom(world);
    for (let n = 0; n < 60; n += 1) await world.run(ada, tell, [room]);
    await world.refused(ada, "FF300", tell, [room]);
    expect(await told(world, room)).toHaveLength(60);
  });
});
