import { describe, expect } from "vitest";
import {
  deleteMessageSql,
  editMessageSql,
  likeSql,
  openRoom,
  raise,
  roomAt,
  insertMessage,
  unlike,
  withoutHurry,
  readOverview,
} from "./chat-world.ts";
import { test, type Row, type World } from "./world.ts";

const pageSql = "select * from public.room_page($1, $2, $3, $4)";
const changesSql = "select * from public.room_changes_since($1, $2, $3, $4)";
const readSql = "select public.mark_room_read($1, $2)";

/** Inserts messages of one member into a room, past the guards. @returns their ids, oldest first. */
async function fill(world: World, member: string, room: string, n: number): Promise<unknown[]> {
  const sql = `insert into public.chat_messages (user_id, chat_room_id, content, created_at, changed_at)
    select $1, $2, 'No. ' || g, t, t from generate_series(1, $3::int) g,
      lateral (select clock_timestamp() - make_interval(mins => $3 - g)) s (t) order by g returning id`;
  return (await world.run("owner", sql, [member, room, n])).map((row) => row["id"]);
}

describe("a page of a room", () => {
  test("shows each message with its author, the caller's like and its parent", async ({
    world,
  }) => {
    const [ada, bob, room] = [
      await world.member("mentor-access"),
      await world.member(),
      await openRoom(world),
    ];
    const question = await insertMessage(world, ada, "Q".repeat(300), { chat_room_id: room });
    const reply = await insertMessage(world, bob, "Answer", {
      chat_room_id: room,
      parent_message_id: question["id"],
    });
    await world.run(bob, likeSql, [bob, question["id"]]);
    const author_avatar_url = `/storage/v1/object/public/profile-pictures/${ada}-1.jpg`;
    const picture = "update public.profiles set avatar_url = $2 where id = $1";
    await world.run("owner", picture, [ada, author_avatar_url]);
    const page = await world.run(bob, pageSql, [room, null, null, 50]);
    expect(page).toHaveLength(2);
    const { mentioned: _neverKept, ...kept } = reply;
    expect(page[0]).toMatchObject({
      ...kept,
      liked_by_me: false,
      parent_content: "Q".repeat(200),
      parent_author: "Ada Byron",
    });
    expect(page[1]).toMatchObject({
      id: question["id"],
      like_count: 1,
      author_first_name: "Ada",
      author_last_name: "Byron",
      author_role: "mentor",
      author_occupation: "Engineer",
      author_avatar_url,
      liked_by_me: true,
      parent_content: null,
      parent_author: null,
    });
    expect((await world.run(ada, pageSql, [room, null, null, 50]))[1]).toMatchObject({
      liked_by_me: false,
    });
    await world.run(ada, deleteMessageSql, [question["id"]]);
    const [after, gone] = await world.run(bob, pageSql, [room, null, null, 50]);
    expect(after).toMatchObject({
      parent_message_id: question["id"],
      parent_content: null,
      parent_author: null,
    });
    expect(gone).toMatchObject({ content: "" });
    expect(gone?.["deleted_at"]).not.toBeNull();
  });

  test("continues the previous page without gaps or repeats, also among equal times", async ({
    world,
  }) => {
    const [ada, room] = [await world.member(), await openRoom(world)];
    await fill(world, ada, room, 23);
    // A third of them have the same time.
    await world.run(
      "owner",
      `update public.chat_messages set created_at = '2026-01-01' where chat_room_id = $1 and content like '%1%'`,
      [room],
    );
    const expected = await world.run(
      "owner",
      "select id from public.chat_messages where chat_room_id = $1 order by created_at desc, id",
      [room],
    );
    const seen: unknown[] = [];
    let last: Row | undefined;
    do {
      const from = [last?.["created_at"] ?? null, last?.["id"] ?? null];
      const text = `select id, created_at::text as created_at from public.room_page($1, $2::timestamptz, $3::uuid, 5)`;
      const page = await world.run(ada, text, [room, ...from]);
      seen.push(...page.map((row) => row["id"]));
      last = page.at(-1);
    } while (last !== undefined);
    expect(seen).toEqual(expected.map((row) => row["id"]));
  });

  test.for([
    [null, 50],
    [0, 1],
    [-5, 1],
    [7, 7],
    [5000, 100],
  ] as const)("of size %s has %i messages", async ([size, length], { world }) => {
    const [ada, room] = [await world.member(), await openRoom(world)];
    await fill(world, ada, room, 120);
    expect(await world.run(ada, pageSql, [room, null, null, size])).toHaveLength(length);
    expect(await world.run(ada, changesSql, [room, "2001-01-01", null, size ?? 50])).toHaveLength(
      length,
    );
  });

  test("has 50 messages by default, and a page of changes 100", async ({ world }) => {
    const [ada, room] = [await world.member(), await openRoom(world)];
    const ids = await fill(world, ada, room, 120);
    const page = await world.run(ada, "select id from public.room_page($1)", [room]);
    expect(page.map((row) => row["id"])).toEqual(ids.slice(-50).toReversed());
    const since = "select id from public.room_changes_since($1, '2001-01-01')";
    expect(await world.run(ada, since, [room])).toHaveLength(100);
    const all = "select id from public.room_changes_since($1, '2001-01-01', null, null)";
    expect(await world.run(ada, all, [room])).toHaveLength(100);
  });

  test("is refused without access to the room", async ({ world }) => {
    const ada = await world.member();
    await raise(world, ada, 2);
    const since = "2001-01-01";
    await world.run(ada, pageSql, [roomAt[2], null, null, 50]);
    await raise(world, ada, 1);
    for (const [sql, from] of [
      [pageSql, null],
      [changesSql, since],
    ] as const) {
      await world.refused(ada, "FF311", sql, [roomAt[2], from, null, 50]);
      await world.refused(ada, "FF310", sql, ["cellar", from, null, 50]);
      await world.refused("anon", "42501", sql, ["general", from, null, 50]);
      await world.refused(await world.newcomer(), "FF311", sql, ["general", from, null, 50]);
    }
    await world.setSubscriptionStatus(ada, "canceled");
    await world.refused(ada, "FF311", pageSql, ["general", null, null, 50]);
    await world.run(await world.admin(), pageSql, ["legacy", null, null, 50]);
  });
});

describe("changes since a time", () => {
  const ids = (rows: Row[]) => rows.map((row) => row["id"]);

  test("are the messages written, edited, deleted, liked and unliked, in that order", async ({
    world,
  }) => {
    const [ada, bob, room] = [await world.member(), await world.member(), await openRoom(world)];
    await withoutHurry(world);
    const old = await fill(world, ada, room, 6);
    await world.run(bob, likeSql, [bob, old[5]]);
    const age = "update public.chat_messages set changed_at = '2026-01-01' where chat_room_id = $1";
    // As if the like were old.
    await world.run("owner", "set local session_replication_role = replica");
    await world.run("owner", age, [room]);
    await world.run("owner", "set local session_replication_role = origin");
    const since = (await world.one("owner", "select clock_timestamp()::text as t"))["t"];
    expect(await world.run(ada, changesSql, [room, since, null, 50])).toEqual([]);
    await world.run(ada, editMessageSql, [old[4], "Edited"]);
    await world.run(ada, deleteMessageSql, [old[1]]);
    await world.run(bob, likeSql, [bob, old[2]]);
    await world.run(bob, unlike, [bob, old[5]]);
    const { id } = await insertMessage(world, bob, "New", { chat_room_id: room });
    const changes = await world.run(bob, changesSql, [room, since, null, 50]);
    expect(ids(changes)).toEqual([old[4], old[1], old[2], old[5], id]);
    expect(changes.map((row) => [row["content"], row["like_count"], row["liked_by_me"]])).toEqual([
      ["Edited", 0, false],
      ["", 0, false],
      ["No. 3", 1, true],
      ["No. 6", 0, false],
      ["New", 0, false],
    ]);
    expect(changes[4]).toMatchObject({ author_first_name: "Ada", parent_content: null });
  });

  test("start 15 seconds earlier, and continue exactly after the last of a page", async ({
    world,
  }) => {
    const [ada, room] = [await world.member(), await openRoom(world)];
    const all = await fill(world, ada, room, 5);
    const at = (
      seconds: number,
    ) => `select (changed_at + make_interval(secs => ${seconds}))::text as t, id
      from public.chat_messages where id = $1`;
    const moment = async (id: unknown, seconds: number) =>
      (await world.one("owner", at(seconds), [id]))["t"];
    // The messages are a minute apart.
    expect(
      ids(await world.run(ada, changesSql, [room, await moment(all[2], 14), null, 50])),
    ).toEqual(all.slice(2));
    expect(
      ids(await world.run(ada, changesSql, [room, await moment(all[2], 16), null, 50])),
    ).toEqual(all.slice(3));
    const first = await world.run(ada, changesSql, [room, await moment(all[0], 0), null, 2]);
    expect(ids(first)).toEqual(all.slice(0, 2));
    const next = await world.run(ada, changesSql, [room, await moment(all[1], 0), all[1], 50]);
    expect(ids(next)).toEqual(all.slice(2));
  });
});

describe("the unread count", () => {
  test("counts messages of others since the last read, without deleted ones", async ({ world }) => {
    const [ada, bob, room] = [await world.member(), await world.member(), await openRoom(world)];
    expect(await readOverview(world, bob, room)).toMatchObject({
      unread_count: 0,
      last_message_at: null,
    });
    const first = await insertMessage(world, ada, "One", { chat_room_id: room });
    const second = await insertMessage(world, ada, "Two", { chat_room_id: room });
    await insertMessage(world, bob, "Three", { chat_room_id: room });
    expect(await readOverview(world, bob, room)).toMatchObject({ unread_count: 2 });
    expect(await readOverview(world, ada, room)).toMatchObject({ unread_count: 1 });
    await world.run(ada, deleteMessageSql, [first["id"]]);
    expect(await readOverview(world, bob, room)).toMatchObject({ unread_count: 1 });
    const exactly = "select created_at::text as at from public.chat_messages where id = $1";
    await world.run(bob, readSql, [room, (await world.one(bob, exactly, [second["id"]]))["at"]]);
    const last = await insertMessage(world, ada, "Four", { chat_room_id: room });
    const after = await readOverview(world, bob, room);
    expect(after).toMatchObject({ unread_count: 1, last_message_at: last["created_at"] });
    await world.run(bob, readSql, [room, "2999-01-01"]);
    expect(await readOverview(world, bob, room)).toMatchObject({ unread_count: 0 });
    // A read position in the future would hide later messages.
    await insertMessage(world, ada, "Five", { chat_room_id: room });
    expect(await readOverview(world, bob, room)).toMatchObject({ unread_count: 1 });
  });

  test("stops at 99, and starts when the account was created", async ({ world }) => {
    const [ada, bob, room] = [await world.member(), await world.member(), await openRoom(world)];
    await fill(world, ada, room, 120);
    // One minute apart; all but the last are older than the accounts of this test.
    expect(await readOverview(world, bob, room)).toMatchObject({ unread_count: 1 });
    await world.run("owner", "update auth.users set created_at = '2001-01-01' where id = $1", [
      bob,
    ]);
    expect(await readOverview(world, bob, room)).toMatchObject({ unread_count: 99 });
  });

  test("has a read position that only moves forward, in an open room", async ({ world }) => {
    const [ada, bob, room] = [await world.member(), await world.member(), await openRoom(world)];
    const mark =
      "select last_read_at::text as at from public.chat_room_reads where chat_room_id = $1";
    await world.run(ada, readSql, [room, "2026-02-02 00:00Z"]);
    await world.run(ada, readSql, [room, "2026-01-01 00:00Z"]);
    expect((await world.one(ada, mark, [room]))["at"]).toMatch(/^2026-02-02/);
    await world.run(ada, readSql, [room, null]);
    expect((await world.one(ada, mark, [room]))["at"]).not.toMatch(/^2026-02-02/);
    expect(await world.run(bob, mark, [room])).toEqual([]);
    await world.refused("anon", "42501", mark, [room]);
    const forge = `insert into public.chat_room_reads (user_id, chat_room_id, last_read_at) values ($1, $2, now())`;
    for (const actor of [ada, bob]) await world.refused(actor, "42501", forge, [bob, room]);
    await world.refused(ada, "42501", "update public.chat_room_reads set last_read_at = now()");
    await world.refused(ada, "42501", "delete from public.chat_room_reads");
    await world.refused(ada, "FF311", readSql, [roomAt[2], null]);
    await world.refused(ada, "FF310", readSql, ["cellar", null]);
    await world.refused("anon", "42501", readSql, [room, null]);
    await world.run("owner", "delete from auth.users where id = $1", [ada]);
    expect(await world.run("owner", mark, [room])).toEqual([]);
  });
});

describe("an export", () => {
  test("holds messages, likes, read positions and reports, also after the membership lapsed", async ({
    world,
  }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const { id } = await insertMessage(world, ada, "Mine");
    const other = await insertMessage(world, bob, "Theirs");
    await world.run(ada, likeSql, [ada, other["id"]]);
    await world.run(ada, readSql, ["general", null]);
    await world.run(ada, "select public.report('message', $1, 'Spam')", [other["id"]]);
    await world.setSubscriptionStatus(ada, "canceled");
    const { data } = await world.one(ada, "select public.export_my_data() as data");
    expect(data).toMatchObject({
      profile: { id: ada },
      messages: [{ id, content: "Mine" }],
      message_likes: [{ message_id: other["id"] }],
      room_reads: [{ chat_room_id: "general" }],
      reports: [{ message_id: other["id"], reason: "Spam" }],
    });
    expect(JSON.stringify(data)).not.toContain("Theirs");
    await world.refused("anon", "42501", "select private.export_part_chat($1)", [ada]);
    await world.refused(bob, "42501", "select private.export_part_chat($1)", [ada]);
  });
});
