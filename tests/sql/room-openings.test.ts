import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { insertMessage, openRoom, raise } from "./chat-world.ts";
import { test, type Row, type World } from "./world.ts";

const createSql = "select public.create_room($1, 'Deals', $2::integer)";
const closeSql = "select public.edit_room($1, is_active => false)";
const reopenSql = "select public.edit_room($1, is_active => true)";
const markSql = "select public.mark_notifications_read(now() + interval '1 hour', $1)";
const storedSql = "select from public.notifications where user_id = $1 and kind = 'room_open'";
const openingsSql = "select from private.room_openings where chat_room_id = $1";

interface Bell {
  readonly unread: number;
  readonly items: readonly Row[];
}

async function bell(world: World, member: string): Promise<Bell> {
  return (await world.one(member, "select public.my_notifications() as bell"))["bell"] as Bell;
}

/** The openings of a room in a member's bell. */
async function told(world: World, member: string, room: string): Promise<readonly Row[]> {
  const { items } = await bell(world, member);
  return items.filter(({ kind, chat_room_id }) => kind === "room_open" && chat_room_id === room);
}

/** A room that an administrator opens. */
async function opened(world: World, admin: string, level = 1): Promise<string> {
  const room = `deals-${randomUUID()}`;
  await world.run(admin, createSql, [room, level]);
  return room;
}

const agedSql = `update private.room_openings set created_at = created_at - $2::interval where chat_room_id = $1`;

describe("a room that opens", () => {
  test("is told once to each member who may read it, without a row for any", async ({ world }) => {
    const [admin, ada, tom] = [await world.admin(), await world.member(), await world.member()];
    const room = await opened(world, admin);
    for (const member of [ada, tom]) {
      expect(await world.count("owner", storedSql, [member])).toBe(0);
      expect(await told(world, member, room)).toMatchObject([
        { room: "Deals", actor: null, others: 0, unread: true },
      ]);
    }
    expect(await told(world, admin, room)).toEqual([]);
    await world.run(ada, markSql, [null]);
    await world.run(ada, markSql, [null]);
    expect(await bell(world, ada)).toMatchObject({ unread: 0 });
    expect(await told(world, ada, room)).toMatchObject([{ unread: false }]);
    expect(await world.count("owner", storedSql, [ada])).toBe(1);
    expect(await told(world, tom, room)).toMatchObject([{ unread: true }]);
  });

  test("is read by itself through its own line, beside an announcement", async ({ world }) => {
    const [admin, ada] = [await world.admin(), await world.member()];
    const room = await opened(world, admin);
    await insertMessage(world, admin, "Hello @everyone");
    const [line] = await told(world, ada, room);
    const ids = (await bell(world, ada)).items.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    await world.run(ada, markSql, [line?.["id"]]);
    expect(await told(world, ada, room)).toMatchObject([{ unread: false }]);
    const announced = (await bell(world, ada)).items.filter(({ kind }) => kind === "announcement");
    expect(announced).toMatchObject([{ unread: true }]);
  });

  test("again is told again, but not twice within a day", async ({ world }) => {
    const [admin, ada] = [await world.admin(), await world.member()];
    const room = await opened(world, admin);
    await world.run(ada, markSql, [null]);
    await world.run(admin, closeSql, [room]);
    expect(await told(world, ada, room)).toEqual([]);
    await world.run(admin, reopenSql, [room]);
    expect(await told(world, ada, room)).toMatchObject([{ unread: false }]);
    await world.run(admin, closeSql, [room]);
    await world.run("owner", agedSql, [room, "25 hours"]);
    await world.run(admin, reopenSql, [room]);
    expect(await told(world, ada, room)).toMatchObject([{ unread: true }]);
    await world.run(ada, markSql, [null]);
    expect(await world.count("owner", openingsSql, [room])).toBe(1);
    expect(await told(world, ada, room)).toMatchObject([{ unread: false }]);
  });

  test("is hidden from whom may not read it now, and from who joined later", async ({ world }) => {
    const [admin, low, high] = [await world.admin(), await world.member(), await world.member()];
    await raise(world, high, 2);
    await world.run("owner", "delete from public.notifications where user_id = $1", [high]);
    const room = await opened(world, admin, 2);
    expect(await told(world, low, room)).toEqual([]);
    expect(await told(world, high, room)).toHaveLength(1);
    await raise(world, high, 1);
    expect(await told(world, high, room)).toEqual([]);
    await world.run(high, markSql, [null]);
    expect(await world.count("owner", storedSql, [high])).toBe(0);
    await raise(world, high, 2);
    await world.run("owner", "delete from public.notifications where user_id = $1", [high]);
    await world.run(high, markSql, [null]);
    await world.setSubscriptionStatus(high, "canceled");
    expect(await told(world, high, room)).toEqual([]);
    const later = await world.member();
    const joined = "update auth.users set created_at = now() + interval '1 minute' where id = $1";
    await world.run("owner", joined, [later]);
    expect(await told(world, later, await opened(world, admin))).toEqual([]);
    const ada = await world.member();
    await world.run("owner", "update auth.users set created_at = '2020-01-01' where id = $1", [
      ada,
    ]);
    const old = await opened(world, admin);
    await world.run("owner", agedSql, [old, "31 days"]);
    expect(await told(world, ada, old)).toEqual([]);
  });

  test("says nothing when no administrator opened it, or it was edited only", async ({ world }) => {
    const [admin, ada] = [await world.admin(), await world.member()];
    const room = await openRoom(world);
    await world.run("owner", "update public.chat_rooms set is_active = false where id = $1", [
      room,
    ]);
    await world.run("owner", "update public.chat_rooms set is_active = true where id = $1", [room]);
    await world.run(admin, "select public.edit_room($1, name => 'Other')", [room]);
    expect(await world.count("owner", openingsSql, [room])).toBe(0);
    expect(await told(world, ada, room)).toEqual([]);
    for (const actor of [ada, "anon", "service_role"]) {
      await world.refused(
        actor,
        "42501",
        "insert into private.room_openings (chat_room_id) values ($1)",
        [room],
      );
    }
  });

  test("is left out by who wants nothing of rooms in the bell, and joins the digest", async ({
    world,
  }) => {
    const [admin, ada] = [await world.admin(), await world.member()];
    const room = await opened(world, admin);
    const choose = `insert into public.notification_preferences (user_id, kind, bell, email, push) values ($1, 'rooms', false, true, false)
      on conflict (user_id, kind) do update set bell = false`;
    await world.run("owner", choose, [ada]);
    expect(await told(world, ada, room)).toEqual([]);
    const lines = "select kind, place from private.unsent_notifications($1, 'email')";
    expect(await world.run("owner", lines, [ada])).toContainEqual({
      kind: "room_open",
      place: { chat_room_id: room, room: "Deals" },
    });
    await world.run(
      "owner",
      `update private.room_openings set created_at = private.digest_moment('weekly', now()) - interval '1 minute'
       where chat_room_id = $1`,
      [room],
    );
    await world.run("owner", "update auth.users set created_at = '2020-01-01' where id = $1", [
      ada,
    ]);
    await world.run("service_role", "select public.queue_digests()");
    const queued = "select from private.email_outbox where user_id = $1 and template = 'digest'";
    expect(await world.count("owner", queued, [ada])).toBe(1);
    expect(await world.count("owner", queued, [admin])).toBe(0);
  });
});

describe("a new level", () => {
  const lineOf = async (world: World, member: string, level: string) =>
    (await bell(world, member)).items.find(
      ({ kind, detail }) => kind === "level_up" && detail === level,
    );

  test("names the rooms that it opened, while they are open to the member", async ({ world }) => {
    const ada = await world.member();
    await openRoom(world, 2);
    const [{ n, names }] = (await world.run(
      "owner",
      `select count(*)::integer as n, (array_agg(name order by display_order, name))[1:2] as names
       from public.chat_rooms where is_active and min_level_required = 2`,
    )) as [Row];
    await raise(world, ada, 2);
    expect(await lineOf(world, ada, "2")).toMatchObject({ room_count: n, rooms: names });
    await raise(world, ada, 1);
    expect(await lineOf(world, ada, "2")).toMatchObject({ room_count: 0, rooms: [] });
  });

  test("tells of rooms opened before it once, with the level", async ({ world }) => {
    const [admin, ada] = [await world.admin(), await world.member()];
    const room = await opened(world, admin, 2);
    await raise(world, ada, 2);
    expect(await lineOf(world, ada, "2")).toMatchObject({ unread: true });
    expect(await told(world, ada, room)).toEqual([]);
    const later = await opened(world, admin, 2);
    expect(await told(world, ada, later)).toHaveLength(1);
  });
});
