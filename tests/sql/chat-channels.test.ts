import { describe, expect } from "vitest";
import { raise, ROOM_AT } from "./chat-world.ts";
import { test, type Actor, type World } from "./world.ts";

const ASK = "select * from host.realtime_permissions($1, $2, $3, '{}')";
const ALL = {
  broadcast_read: true,
  presence_read: true,
  broadcast_write: true,
  presence_write: true,
};
const NONE = {
  broadcast_read: false,
  presence_read: false,
  broadcast_write: false,
  presence_write: false,
};

/** What somebody may do on a channel, asked as the realtime service asks. */
async function rights(world: World, actor: Actor, topic: string) {
  const role = actor === "anon" ? "anon" : "authenticated";
  const account = { sub: actor, session_id: actor, aal: "aal2" };
  const claims = JSON.stringify({ role, ...(role === "anon" ? {} : account) });
  return await world.one("owner", ASK, [topic, role, claims]);
}

describe("the private channel of a room", () => {
  test("is open to whoever may read the room, for as long as they may", async ({ world }) => {
    const ada = await world.member();
    for (const level of [1, 2, 3, 4, 2] as const) {
      await raise(world, ada, level);
      for (const needed of [1, 2, 3, 4] as const) {
        const expected = needed <= level ? ALL : NONE;
        expect(await rights(world, ada, `room:${ROOM_AT[needed]}`)).toEqual(expected);
      }
    }
    await world.setSubscriptionStatus(ada, "canceled");
    expect(await rights(world, ada, "room:general")).toEqual(NONE);
    expect(await rights(world, await world.admin(), "room:legacy")).toEqual(ALL);
  });

  test("is shut for visitors, newcomers, and when the room is closed", async ({ world }) => {
    const ada = await world.member();
    for (const actor of ["anon", await world.newcomer(), await world.account()]) {
      expect(await rights(world, actor, "room:general")).toEqual(NONE);
    }
    await world.run("owner", "update public.chat_rooms set is_active = false where id = 'general'");
    expect(await rights(world, ada, "room:general")).toEqual(NONE);
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
    expect(await rights(world, await world.member(), topic)).toEqual(NONE);
  });

  test("carries presence and broadcasts, and nothing else", async ({ world }) => {
    const ada = await world.member();
    await world.run("owner", "select set_config('realtime.topic', 'room:general', true)");
    const probe = "insert into realtime.messages (topic, extension) values ('room:general', $1)";
    for (const extension of ["broadcast", "presence"]) await world.run(ada, probe, [extension]);
    await world.refused(ada, "42501", probe, ["postgres_changes"]);
    await world.run("owner", probe, ["postgres_changes"]);
    const seen =
      "select distinct extension from realtime.messages where topic = 'room:general' order by 1";
    expect(await world.run(ada, seen)).toEqual([
      { extension: "broadcast" },
      { extension: "presence" },
    ]);
    expect(await world.run("anon", seen)).toEqual([]);
    const update = "update realtime.messages set payload = '{}' where topic = 'room:general'";
    expect(await world.count(ada, update)).toBe(0);
  });
});
