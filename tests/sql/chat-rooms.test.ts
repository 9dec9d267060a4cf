import { readFile } from "node:fs/promises";
import { describe, expect } from "vitest";
import { joinSql, leave, openRoom, raise, roomAt } from "./chat-world.ts";
import { projectRoot } from "../support/spawn-product.ts";
import { test, type World } from "./world.ts";

/** The product's rooms: tests of other files, which run at the same time, make theirs under names that begin so. */
const listed = "is_active and id not like 'room-%'";
const list = `select id from public.chat_rooms where ${listed} order by min_level_required, name`;

const sweepSql = "select public.expire_room_leases() as n";

async function count(world: World, room: string): Promise<number> {
  const sql = "select participant_count as n from public.chat_rooms where id = $1";
  return Number((await world.one("owner", sql, [room]))["n"]);
}

/** Ages every lease of a member by this time. */
async function neglect(world: World, member: string, seconds: number): Promise<void> {
  const sql = `update private.room_leases set expires_at = clock_timestamp() + make_interval(secs => 90 - $2) where user_id = $1`;
  await world.run("owner", sql, [member, seconds]);
}

describe("the rooms", () => {
  test("keep a purpose that an administrator wrote when ours is said anew", async ({ world }) => {
    const change = await readFile(
      `${projectRoot}/supabase/migrations/20261129204800_motivation_purpose.sql`,
      "utf8",
    );
    const purpose = async () => {
      const sql = "select description as text from public.chat_rooms where id = 'motivation'";
      return (await world.one("owner", sql))["text"];
    };
    const ours = "For days when it's hard to start, and for what got you going.";
    expect(await purpose()).toBe(ours);
    const write = "update public.chat_rooms set description = $1 where id = 'motivation'";
    await world.run("owner", write, ["For slow Mondays."]);
    await world.run("owner", change);
    expect(await purpose()).toBe("For slow Mondays.");
    const former = "For the days when it is hard to begin, and for what helped you to.";
    await world.run("owner", write, [former]);
    await world.run("owner", change);
    expect(await purpose()).toBe(ours);
  });

  test("are 19: five at the first level, nine with the second, fourteen with the third", async ({
    world,
  }) => {
    const rooms = await world.run(
      await world.member(),
      `select id, name, description, min_level_required from public.chat_rooms where ${listed} order by min_level_required, name`,
    );
    const upTo = (level: number) =>
      rooms.filter((room) => Number(room["min_level_required"]) <= level);
    expect([1, 2, 3, 4].map((level) => upTo(level).length)).toEqual([5, 9, 14, 19]);
    expect(upTo(1).map((room) => room["id"])).toEqual([
      "accountability",
      "general",
      "motivation",
      "productivity",
      "success",
    ]);
    for (const room of rooms) expect(String(room["description"]).length).toBeGreaterThan(30);
    expect(new Set(rooms.map((room) => room["name"])).size).toBe(19);
  });

  test("are listed for every signed-in account, including locked ones", async ({ world }) => {
    const lapsed = await world.member();
    await world.setSubscriptionStatus(lapsed, "canceled");
    for (const actor of [
      await world.member(),
      await world.admin(),
      await world.newcomer(),
      await world.account(),
      lapsed,
    ]) {
      expect(await world.run(actor, list)).toHaveLength(19);
    }
  });

  test("tell an account without a membership how many are inside, and never who", async ({
    world,
  }) => {
    const [member, newcomer] = [await world.member(), await world.newcomer()];
    await world.run(member, joinSql, ["general"]);
    const inside = "select participant_count as n from public.chat_rooms where id = 'general'";
    // The spec's pages read the whole row with sign-in alone; docs/subsystems/chat.md says why it cannot differ.
    expect(await world.one(newcomer, inside)).toEqual({ n: await count(world, "general") });
    await world.refused("anon", "42501", inside);
    const who = "select id from public.room_participants('general') id";
    await world.refused(newcomer, "FF311", who);
    await world.refused(newcomer, "42501", "select * from private.room_leases");
    expect(await world.run(member, who)).toContainEqual({ id: member });
  });

  test("are hidden from visitors and from sessions that have ended", async ({ world }) => {
    await world.refused("anon", "42501", list);
    const gone = await world.newcomer();
    await world.run("owner", "delete from auth.sessions where user_id = $1", [gone]);
    expect(await world.run(gone, list)).toEqual([]);
  });

  test("that are inactive are not listed and cannot be joined", async ({ world }) => {
    const member = await world.member();
    await world.run("owner", "update public.chat_rooms set is_active = false where id = 'success'");
    const all = "select id from public.chat_rooms where id not like 'room-%'";
    const ids = (await world.run(member, all)).map((r) => r["id"]);
    expect(ids).toHaveLength(18);
    expect(ids).not.toContain("success");
    await world.refused(member, "FF310", joinSql, ["success"]);
  });

  test("cannot be created or changed through the API", async ({ world }) => {
    for (const actor of [await world.member(), await world.admin()]) {
      await world.refused(actor, "42501", "update public.chat_rooms set participant_count = 9");
      await world.refused(
        actor,
        "42501",
        "insert into public.chat_rooms (id, name) values ('x', 'x')",
      );
      await world.refused(actor, "42501", "delete from public.chat_rooms");
    }
  });

  test.for([
    ["id", "'No Slug'"],
    ["id", "repeat('a', 61)"],
    ["name", "''"],
    ["name", "repeat('a', 81)"],
    ["description", "repeat('a', 301)"],
    ["min_level_required", "0"],
    ["min_level_required", "5"],
    ["participant_count", "-1"],
  ] as const)("do not take %s = %s", async ([column, value], { world }) => {
    const sql = `update public.chat_rooms set ${column} = ${value} where id = 'general'`;
    await world.refused("owner", "23514", sql);
  });
});

describe("being in a room", () => {
  test("counts once, however often the caller joins, and ends once", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const [room, other] = [await openRoom(world), await openRoom(world)];
    for (const member of [ada, bob, ada, ada]) await world.run(member, joinSql, [room]);
    expect(await count(world, room)).toBe(2);
    expect(await count(world, other)).toBe(0);
    for (const member of [ada, ada, ada]) await world.run(member, leave, [room]);
    expect(await count(world, room)).toBe(1);
    for (const each of [room, other, "no-such-room"]) await world.run(bob, leave, [each]);
    expect(await count(world, room)).toBe(0);
    expect(await count(world, other)).toBe(0);
  });

  test("needs the level of the room, and leaving does not", async ({ world }) => {
    const member = await world.member();
    const rooms = [];
    for (const level of [2, 3, 4]) {
      const room = await openRoom(world, level);
      rooms.push(room);
      await world.refused(member, "FF311", joinSql, [room]);
      await raise(world, member, level);
      await world.run(member, joinSql, [room]);
    }
    await raise(world, member, 1);
    await world.refused(member, "FF311", joinSql, [rooms[2]]);
    await world.run(member, leave, [rooms[2]]);
    await world.setSubscriptionStatus(member, "past_due");
    await world.refused(member, "FF311", joinSql, [roomAt[1]]);
    await world.run(member, leave, [rooms[0]]);
    const counts = [];
    for (const room of rooms) counts.push(await count(world, room));
    expect(counts).toEqual([0, 1, 0]);
  });

  test("is refused with the required level, or because the room does not exist", async ({
    world,
  }) => {
    const member = await world.member();
    const refusal = await world.run(member, joinSql, ["legacy"]).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "FF311", detail: "4" });
    await world.refused(member, "FF310", joinSql, ["cellar"]);
    await world.refused(member, "FF310", joinSql, [null]);
    await world.refused(await world.newcomer(), "FF311", joinSql, ["general"]);
    await world.run(await world.admin(), joinSql, [await openRoom(world, 4)]);
    for (const call of [joinSql, leave]) await world.refused("anon", "42501", call, ["general"]);
  });

  test("expires 90 seconds after the last renewal", async ({ world }) => {
    const [ada, bob, room] = [await world.member(), await world.member(), await openRoom(world)];
    for (const member of [ada, bob]) await world.run(member, joinSql, [room]);
    const left = `select extract(epoch from expires_at - clock_timestamp()) as seconds
      from private.room_leases where user_id = $1`;
    const seconds = async () => Number((await world.one("owner", left, [ada]))["seconds"]);
    expect(await seconds()).toBeGreaterThan(80);
    expect(await seconds()).toBeLessThanOrEqual(90);
    await neglect(world, ada, 80);
    await world.run(ada, joinSql, [room]);
    expect(await seconds()).toBeGreaterThan(80);
    await neglect(world, ada, 91);
    await neglect(world, bob, 45);
    // The first sweep also deletes leases of other tests.
    expect(Number((await world.one("service_role", sweepSql))["n"])).toBeGreaterThanOrEqual(1);
    expect(await count(world, room)).toBe(1);
    // Leaving after that does not lower the count again, and joining again counts.
    await world.run(ada, leave, [room]);
    expect(await count(world, room)).toBe(1);
    await world.run(ada, joinSql, [room]);
    expect(await count(world, room)).toBe(2);
  });

  test("that expired counts until the sweep, and can be renewed without counting twice", async ({
    world,
  }) => {
    const [ada, room] = [await world.member(), await openRoom(world)];
    await world.run(ada, joinSql, [room]);
    await neglect(world, ada, 100);
    await world.run(ada, joinSql, [room]);
    await world.run("service_role", sweepSql);
    expect(await count(world, room)).toBe(1);
  });

  test("ends with the account", async ({ world }) => {
    const [ada, room] = [await world.member(), await openRoom(world)];
    const other = await openRoom(world);
    for (const each of [room, other]) await world.run(ada, joinSql, [each]);
    await world.run("owner", "delete from auth.users where id = $1", [ada]);
    expect([await count(world, room), await count(world, other)]).toEqual([0, 0]);
  });

  test("is swept by the server role only", async ({ world }) => {
    for (const actor of ["anon", await world.member(), await world.admin()]) {
      await world.refused(actor, "42501", "select public.expire_room_leases()");
      await world.refused(actor, "42501", "select private.expire_room_leases()");
      await world.refused(actor, "42501", "select * from private.room_leases");
    }
  });

  test("is a progress event once per room, and rooms opened stop at five", async ({ world }) => {
    const ada = await world.member();
    const rooms = [];
    for (let n = 1; n <= 6; n += 1) rooms.push(await openRoom(world));
    for (const room of [rooms[0], ...rooms, rooms[1]]) {
      await world.run(ada, joinSql, [room]);
      await world.run(ada, leave, [room]);
    }
    const sql = "select chat_rooms_opened as rooms from public.user_progress where user_id = $1";
    expect((await world.one("owner", sql, [ada]))["rooms"]).toEqual(rooms.slice(0, 5));
    const database = `select reference from private.progress_ledger
      where user_id = $1 and kind = 'room_opened' order by id`;
    const known = await world.run("owner", database, [ada]);
    expect(known.map((row) => row["reference"])).toEqual(rooms);
  });
});
