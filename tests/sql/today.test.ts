import { describe, expect } from "vitest";
import {
  deleteMessageSql,
  insertMessage,
  joinSql,
  leave,
  likeSql,
  openRoom,
  raise,
} from "./chat-world.ts";
import { article, atLevel, shelf } from "./library-world.ts";
import { today } from "./today-world.ts";
import { test, type Row, type World } from "./world.ts";

/** What is shown of a room. */
async function roomOf(world: World, member: string, room: string): Promise<Row | undefined> {
  return (await today(world, member)).rooms.find((each) => each["room_id"] === room);
}

let minutes = 0;

/** Says something later than everything the other tests say, and later with every call. */
async function say(world: World, member: string, room: string, content: string) {
  const { id } = await insertMessage(world, member, content, { chat_room_id: room });
  minutes += 1;
  await world.run(
    "owner",
    "update public.chat_messages set created_at = now() + make_interval(days => 1, mins => $2) where id = $1",
    [id, minutes],
  );
  return String(id);
}

async function reply(world: World, member: string, to: string, content = "Yes") {
  return await insertMessage(world, member, content, { parent_message_id: to });
}

const block = "select public.block_member($1)";
const markAllRead = "select public.mark_notifications_read(now() + interval '1 day')";
const setProgress = `insert into public.user_progress as p (user_id) values ($1)
  on conflict (user_id) do nothing`;

describe("the next step", () => {
  test("is the first requirement of the level that is not met, and what is left of it", async ({
    world,
  }) => {
    const ada = await world.member();
    expect((await today(world, ada)).next_step).toEqual({
      level: 1,
      kind: "rooms",
      category: null,
      needed: 5,
      done: 0,
      room: "accountability",
    });
    await world.run("owner", setProgress, [ada]);
    const opened = `update public.user_progress
      set chat_rooms_opened = '{a,b,c,d,e}', learning_submissions = 1 where user_id = $1`;
    await world.run("owner", opened, [ada]);
    expect((await today(world, ada)).next_step).toMatchObject({ kind: "submissions", done: 1 });
    await raise(world, ada, 3);
    expect((await today(world, ada)).next_step).toMatchObject({
      level: 3,
      kind: "articles",
      category: "business",
      needed: 25,
      done: 0,
    });
  });

  test("is nothing when all is done, and nothing without a live membership", async ({ world }) => {
    const ada = await world.member();
    await world.run("owner", setProgress, [ada]);
    const all = `update public.user_progress set chat_rooms_opened = '{a,b,c,d,e}',
      learning_submissions = 3, message_engagements = 50 where user_id = $1`;
    await world.run("owner", all, [ada]);
    expect(await today(world, ada)).toMatchObject({ level: 1, next_step: null });
    const bob = await world.member();
    await world.setSubscriptionStatus(bob, "canceled");
    expect(await today(world, bob)).toMatchObject({ level: 0, next_step: null });
    expect(await today(world, await world.newcomer())).toMatchObject({ level: 0, next_step: null });
  });
});

describe("the room of the next step", () => {
  /** The room both answers name, and every room the member may open in the order of the list. */
  async function rooms(world: World, member: string) {
    const [{ room }, { next_step: step }] = [
      await world.one(member, "select public.my_next_room() as room"),
      await today(world, member),
    ];
    if (step?.["kind"] === "rooms") expect(step["room"]).toBe(room);
    const listed = await world.run(
      member,
      "select id from public.chat_room_overview() o where o.min_level_required <= public.effective_level()",
    );
    return { room, listed: listed.map(({ id }) => id) };
  }

  test("is the first of the list that the member never opened, and none once all were", async ({
    world,
  }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const { listed } = await rooms(world, ada);
    for (const room of listed) {
      expect((await rooms(world, ada)).room).toBe(room);
      await world.run(ada, joinSql, [room]);
    }
    expect((await rooms(world, ada)).room).toBeNull();
    // Leaving a room does not close it again, and what one member opened is nobody else's.
    await world.run(ada, leave, [listed[0]]);
    expect((await rooms(world, ada)).room).toBeNull();
    expect((await rooms(world, bob)).room).toBe(listed[0]);
  });

  test("passes over a closed room and those of a level or membership the member has not", async ({
    world,
  }) => {
    const ada = await world.member();
    const { listed } = await rooms(world, ada);
    const close = "update public.chat_rooms set is_active = $2 where id = $1";
    await world.run("owner", close, [listed[0], false]);
    expect((await rooms(world, ada)).room).toBe(listed[1]);
    await world.run("owner", close, [listed[0], true]);
    for (const room of listed) await world.run(ada, joinSql, [room]);
    const higher = await openRoom(world, 2);
    expect((await rooms(world, ada)).room).toBeNull();
    await raise(world, ada, 2);
    const { room, listed: more } = await rooms(world, ada);
    expect(more).toContain(higher);
    expect(room).toBe(more.find((id) => !listed.includes(id)));
    await world.setSubscriptionStatus(ada, "canceled");
    expect((await rooms(world, ada)).room).toBeNull();
  });
});

describe("what waits", () => {
  test("is the newest three unread lines that ask something, and how many there are", async ({
    world,
  }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const said = [];
    for (const text of ["One", "Two", "Three", "Four"]) {
      said.push(String((await insertMessage(world, ada, text))["id"]));
    }
    for (const id of said) await reply(world, bob, id, `About ${id}`);
    for (const id of said) await world.run(bob, likeSql, [bob, id]);
    const { waiting } = await today(world, ada);
    expect(waiting).toMatchObject({ count: 4, questions: 0 });
    expect(waiting.items.map(({ kind, excerpt }) => [kind, excerpt])).toEqual(
      said
        .slice(1)
        .map((id) => ["reply", `About ${id}`])
        .toReversed(),
    );
    await world.run(ada, markAllRead);
    expect((await today(world, ada)).waiting).toEqual({ count: 0, items: [], questions: 0 });
    expect((await today(world, bob)).waiting.count).toBe(0);
  });

  test("is found behind any number of newer lines that ask nothing", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const { id } = await insertMessage(world, ada, "Hello");
    await reply(world, bob, String(id));
    const likes = `insert into public.notifications (user_id, kind, detail)
      select $1, 'level_up', n::text from generate_series(1, 60) n`;
    await world.run("owner", likes, [ada]);
    expect((await today(world, ada)).waiting).toMatchObject({
      count: 1,
      items: [{ kind: "reply", excerpt: "Yes" }],
    });
  });

  test("goes with a deleted message, a demotion, a closed room and a block", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const count = async () => (await today(world, ada)).waiting.count;
    await raise(world, ada, 2);
    await raise(world, bob, 2);
    const room = await openRoom(world, 2);
    const there = { chat_room_id: room };
    const { id } = await insertMessage(world, ada, "Hello", there);
    const answer = await insertMessage(world, bob, "Yes", { ...there, parent_message_id: id });
    await raise(world, ada, 1);
    expect(await count()).toBe(0);
    await raise(world, ada, 2);
    await world.run("owner", "delete from public.notifications where kind = 'level_up'");
    expect(await count()).toBe(1);
    const close = "update public.chat_rooms set is_active = $2 where id = $1";
    await world.run("owner", close, [room, false]);
    expect(await count()).toBe(0);
    await world.run("owner", close, [room, true]);
    await world.setSubscriptionStatus(ada, "canceled");
    expect(await count()).toBe(0);
    await world.setSubscriptionStatus(ada, "active");
    await world.run(bob, deleteMessageSql, [answer["id"]]);
    expect(await count()).toBe(0);
    await insertMessage(world, bob, "Again", { ...there, parent_message_id: id });
    expect(await count()).toBe(1);
    await world.run(ada, block, [bob]);
    expect(await count()).toBe(0);
  });

  test("holds the questions a mentor has to answer, and nobody else's", async ({ world }) => {
    const place = await shelf(world, "general");
    const [mentor, other] = [
      await world.member("mentor-access"),
      await world.member("mentor-access"),
    ];
    const text = await article(world, place, { author_id: mentor });
    const student = await atLevel(world, 2);
    const ask = "select public.ask_question('Why Monday?', $1) as id";
    const { id } = await world.one(student, ask, [text]);
    await world.run(mentor, markAllRead);
    expect((await today(world, mentor)).waiting).toEqual({ count: 0, items: [], questions: 1 });
    expect((await today(world, other)).waiting.questions).toBe(0);
    expect((await today(world, student)).waiting.questions).toBe(0);
    await world.run(mentor, "select public.answer_question($1, 'It is quiet.')", [id]);
    expect((await today(world, mentor)).waiting.questions).toBe(0);
    expect((await today(world, student)).waiting).toMatchObject({
      count: 1,
      items: [{ kind: "answer" }],
    });
  });
});

describe("the rooms", () => {
  test("are the three with the newest words, with who said them and what is unread", async ({
    world,
  }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const rooms = [];
    for (let left = 4; left > 0; left -= 1) rooms.push(await openRoom(world));
    for (const room of rooms) await say(world, bob, room, "x".repeat(200));
    const shown = (await today(world, ada)).rooms;
    expect(shown.map((each) => each["room_id"])).toEqual(rooms.slice(1).toReversed());
    expect(shown[0]).toMatchObject({
      room: "Room",
      unread: 1,
      author_id: bob,
      author: "Ada Byron",
      avatar_url: null,
      excerpt: `${"x".repeat(139)}…`,
    });
    expect((await today(world, bob)).rooms[0]).toMatchObject({ unread: 0, author_id: bob });
  });

  test("show no deleted message and none of a member one has blocked; who was blocked sees no gap", async ({
    world,
  }) => {
    const [ada, bob, eve] = [await world.member(), await world.member(), await world.member()];
    const room = await openRoom(world);
    await say(world, ada, room, "First");
    await say(world, bob, room, "Second");
    const last = await say(world, eve, room, "Third");
    expect(await roomOf(world, ada, room)).toMatchObject({ excerpt: "Third", author_id: eve });
    await world.run(eve, deleteMessageSql, [last]);
    expect(await roomOf(world, ada, room)).toMatchObject({ excerpt: "Second" });
    await world.run(ada, block, [bob]);
    expect(await roomOf(world, ada, room)).toMatchObject({ excerpt: "First" });
    expect(await roomOf(world, bob, room)).toMatchObject({ excerpt: "Second" });
    await world.run("owner", "delete from public.chat_messages where user_id = $1", [bob]);
    expect(await roomOf(world, bob, room)).toMatchObject({ excerpt: "First", author_id: ada });
    expect(await roomOf(world, eve, room)).toMatchObject({ excerpt: "First" });
  });

  test("are none above the level, none that is closed, and none without membership", async ({
    world,
  }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    await raise(world, ada, 2);
    await raise(world, bob, 2);
    const room = await openRoom(world, 2);
    await say(world, bob, room, "For level 2");
    expect(await roomOf(world, ada, room)).toBeDefined();
    await raise(world, ada, 1);
    expect(await roomOf(world, ada, room)).toBeUndefined();
    await raise(world, ada, 2);
    await world.run("owner", "update public.chat_rooms set is_active = false where id = $1", [
      room,
    ]);
    expect(await roomOf(world, ada, room)).toBeUndefined();
    await world.setSubscriptionStatus(ada, "canceled");
    expect((await today(world, ada)).rooms).toEqual([]);
    expect((await today(world, await world.newcomer())).rooms).toEqual([]);
  });
});

test("nobody is answered for another account or without one", async ({ world }) => {
  const ada = await world.member();
  await world.refused("anon", "42501", "select public.my_today()");
  for (const part of [
    "my_today",
    "caller_waiting",
    "caller_latest_room_messages",
    "caller_next_lesson",
  ]) {
    await world.refused("anon", "42501", `select private.${part}()`);
  }
  await world.refused(ada, "42883", "select public.my_today($1)", [ada]);
  await world.refused(ada, "42501", "select private.next_requirement($1)", [ada]);
  await world.refused(ada, "42501", "select private.next_room($1)", [ada]);
  await world.refused("anon", "42501", "select public.my_next_room()");
});
