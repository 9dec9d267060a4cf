import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { anonymous, type Account } from "../support/clients.ts";
import {
  administrator,
  member,
  newcomer,
  owner,
  setSubscriptionStatus,
  stored,
} from "./members.ts";
import { roomAt, postMessage, setLevel } from "./rooms.ts";

const madeUp = { like_count: 9999, created_at: "2001-01-01T00:00:00Z" };

let ada: Account;
let mallory: Account;
let admin: Account;
beforeAll(async () => {
  [ada, mallory, admin] = [await member(), await member(), await administrator()];
});

const send = async ({ client }: Account, row: Record<string, unknown>) =>
  await client
    .from("chat_messages")
    .insert({ chat_room_id: roomAt[1], content: "Hello", message_type: "message", ...row });

/** The error codes of every operation in a room; undefined for success. */
async function attempts(account: Account, room: string, message: string) {
  const { client, id } = account;
  const search = { query: "members", room_id: room };
  const reaction = { user_id: id, message_id: message, reaction: "thanks" };
  const [read, page, changes, mark, join, sent, pins, found, like, report, react, reactors] = [
    await client.from("chat_messages").select("id").eq("chat_room_id", room),
    await client.rpc("room_page", { room_id: room }),
    await client.rpc("room_changes_since", { room_id: room, since: "2001-01-01" }),
    await client.rpc("mark_room_read", { room_id: room, up_to: new Date().toISOString() }),
    await client.rpc("increment_participant_count", { room_id: room }),
    await send(account, { user_id: id, chat_room_id: room }),
    await client.rpc("room_pins", { room_id: room }),
    await client.rpc("search_messages", search),
    await client.from("message_likes").insert({ user_id: id, message_id: message }),
    await client.rpc("report", { kind: "message", subject_id: message, reason: "Spam" }),
    await client.from("message_reactions").insert(reaction),
    await client.rpc("message_reactors", { message_id: message }),
  ];
  const inRoom = [page, changes, mark, join, sent, pins, found];
  const onMessage = [like, report, react, reactors];
  const codes = [...inRoom, ...onMessage].map(({ error }) => error?.code);
  return { sees: (read.data ?? []).length > 0, codes };
}

const open = { sees: true, codes: Array.from({ length: 11 }) };
const shut = {
  sees: false,
  codes: [...Array.from({ length: 7 }, () => "FF311"), ...Array.from({ length: 4 }, () => "FF316")],
};

describe("a room", () => {
  test.for([2, 3, 4] as const)(
    "of level %i opens with the level and closes with it",
    async (level) => {
      const [eve, bob] = [await member(), await member()];
      const room = roomAt[level];
      const message = await postMessage(admin, "Members of this level only", room);
      expect(await attempts(eve, room, message)).toEqual(shut);
      await setLevel(eve.id, level);
      expect(await attempts(eve, room, message)).toEqual(open);
      await eve.client.from("message_likes").delete().eq("message_id", message);
      await eve.client.from("message_reactions").delete().eq("message_id", message);
      await setLevel(eve.id, level - 1);
      expect(await attempts(eve, room, message)).toEqual(shut);
      expect(await attempts(bob, room, message)).toEqual(shut);
      expect(
        (await eve.client.rpc("decrement_participant_count", { room_id: room })).error,
      ).toBeNull();
    },
  );

  test("closes when the membership lapses, also at level 1", async () => {
    const eve = await member();
    const message = await postMessage(ada);
    expect((await attempts(eve, roomAt[1], message)).sees).toBe(true);
    await setSubscriptionStatus(eve.id, "past_due");
    const later = await postMessage(ada);
    expect(await attempts(eve, roomAt[1], later)).toEqual(shut);
    const { data: locked } = await eve.client.rpc("chat_room_overview").eq("id", roomAt[1]);
    expect(locked).toMatchObject([
      { participant_count: 0, unread_count: 0, last_message_at: null },
    ]);
    await setSubscriptionStatus(eve.id, "active");
    expect(await attempts(eve, roomAt[1], later)).toEqual(open);
  });

  test("is closed to newcomers and visitors", async () => {
    const message = await postMessage(ada);
    expect(await attempts(await newcomer(), roomAt[1], message)).toEqual(shut);
    const visitor = { ...ada, client: anonymous() };
    const { sees, codes } = await attempts(visitor, roomAt[1], message);
    expect(sees).toBe(false);
    expect(new Set(codes)).toEqual(new Set(["42501"]));
  });

  test("cannot be created, changed or deleted by a client", async () => {
    const rooms = () => mallory.client.from("chat_rooms");
    const before = await stored("chat_rooms", "id", "legacy");
    for (const change of [{ participant_count: 9999 }, { min_level_required: 1 }]) {
      expect((await rooms().update(change).eq("id", "legacy")).error).toMatchObject({
        code: "42501",
      });
    }
    expect((await rooms().insert({ id: "mine", name: "Mine" })).error).toMatchObject({
      code: "42501",
    });
    expect((await rooms().delete().eq("id", "legacy")).error).toMatchObject({ code: "42501" });
    expect(await stored("chat_rooms", "id", "legacy")).toEqual(before);
    const mark = { user_id: ada.id, chat_room_id: roomAt[1], last_read_at: "2001-01-01" };
    const reads = await mallory.client.from("chat_room_reads").insert(mark);
    expect(reads.error).toMatchObject({ code: "42501" });
  });

  test("loses only the caller's own lease by leaving, once", async () => {
    const room = roomAt[1];
    const leases = async () =>
      (await owner.query("select from private.room_leases where user_id = $1", [ada.id])).rowCount;
    await ada.client.rpc("increment_participant_count", { room_id: room });
    const calls = Array.from(
      { length: 10 },
      async () => await mallory.client.rpc("decrement_participant_count", { room_id: room }),
    );
    for (const { error } of await Promise.all(calls)) expect(error).toBeNull();
    expect(await leases()).toBe(1);
    await ada.client.rpc("decrement_participant_count", { room_id: room });
    expect(await leases()).toBe(0);
  });
});

describe("a message", () => {
  test("has the caller as author, and time and count of the server", async () => {
    expect((await send(mallory, { user_id: ada.id })).error).toMatchObject({ code: "42501" });
    for (const [column, value] of Object.entries({
      ...madeUp,
      edited_at: null,
      deleted_at: null,
    })) {
      const { error } = await send(mallory, { user_id: mallory.id, [column]: value });
      expect(error, column).toMatchObject({ code: "42501" });
    }
  });

  test("cannot be changed through the table", async () => {
    const id = await postMessage(ada);
    const [before] = await stored("chat_messages", "id", id);
    for (const account of [mallory, ada, admin]) {
      const table = () => account.client.from("chat_messages");
      const count = await table().update({ like_count: 9999 }).eq("id", id).select();
      expect(count).toMatchObject({ error: null, data: [] });
      const text = await table().update({ content: "Hacked" }).eq("id", id);
      expect(text.error).toMatchObject({ code: "42501" });
      const upsert = await table().upsert({
        id,
        user_id: account.id,
        chat_room_id: "general",
        content: "Hacked",
      });
      expect(upsert.error).toMatchObject({ code: "42501" });
      expect((await table().delete().eq("id", id)).error).toMatchObject({ code: "42501" });
    }
    expect(await stored("chat_messages", "id", id)).toEqual([before]);
  });

  test("can be edited by its author and deleted by its author or an administrator", async () => {
    const id = await postMessage(ada);
    for (const { client } of [mallory, admin]) {
      const { error } = await client.rpc("edit_message", { message_id: id, new_content: "Hacked" });
      expect(error).toMatchObject({ code: "FF316" });
    }
    const { error } = await mallory.client.rpc("delete_message", { message_id: id });
    expect(error).toMatchObject({ code: "FF316" });
    const explanation = "It insults another member.";
    const removed = await admin.client.rpc("delete_message", { message_id: id, explanation });
    expect(removed.error).toBeNull();
    expect(await stored("chat_messages", "id", id)).toMatchObject([
      { content: "", user_id: ada.id },
    ]);
  });

  test("cannot reply to a message of another room", async () => {
    const parent = await postMessage(ada);
    const reply = { user_id: mallory.id, message_type: "reply", parent_message_id: parent };
    expect((await send(mallory, { ...reply, chat_room_id: "success" })).error).toMatchObject({
      code: "FF315",
    });
    expect((await send(mallory, { ...reply, message_type: "message" })).error).toMatchObject({
      code: "FF314",
    });
    expect((await send(mallory, { ...reply, parent_message_id: null })).error).toMatchObject({
      code: "FF314",
    });
    expect((await send(mallory, reply)).error).toBeNull();
  });

  test.for([
    [
      "invisible characters only",
      "\u200b\u2060\ufeff\u202e",
      "FF312",
      "A message needs some text.",
    ],
    ["10,000 characters", "x".repeat(10_000), "FF313", "A message has at most 4000 characters."],
  ])("with %s is refused in clear words", async ([, content, code, sentence]) => {
    const answer = await send(mallory, { user_id: mallory.id, content });
    expect(answer).toMatchObject({ status: 400, error: { code, message: sentence } });
  });

  test.for([
    ["markup", "<script>alert(1)</script>"],
    ["right-to-left text and overrides", "\u202e\u05e9\u05dc\u05d5\u05dd \u0639"],
    ["4,000 characters", "\u00fc".repeat(4000)],
    ["emoji", "👩\u200d👩\u200d👧 \u{1f600}"],
  ])("with %s comes back as it was sent", async ([, content]) => {
    const id = await postMessage(ada, content);
    const { data } = await mallory.client.from("chat_messages").select("content").eq("id", id);
    expect(data).toEqual([{ content }]);
  });

  test("is limited to 60 a minute, and the error says how long to wait", async () => {
    const eve = await member();
    const rows = Array.from({ length: 61 }, (_, n) => ({
      id: randomUUID(),
      user_id: eve.id,
      chat_room_id: roomAt[1],
      content: `No. ${n}`,
      message_type: "message",
    }));
    const flood = await eve.client.from("chat_messages").insert(rows);
    expect(flood.error).toMatchObject({ code: "FF300" });
    expect(Number(flood.error?.details)).toBeGreaterThan(0);
    expect(await stored("chat_messages", "user_id", eve.id)).toEqual([]);
    expect((await eve.client.from("chat_messages").insert(rows.slice(0, 60))).error).toBeNull();
    expect((await send(eve, { user_id: eve.id })).error).toMatchObject({ code: "FF300" });
  });
});

describe("a like", () => {
  test("is the caller's own, of a visible message, and counts once", async () => {
    const eve = await member();
    const id = await postMessage(ada);
    const likes = () => eve.client.from("message_likes");
    const mine = { user_id: eve.id, message_id: id };
    const progress = async () =>
      (await stored("user_progress", "user_id", eve.id))[0]?.["message_engagements"] ?? 0;
    expect((await likes().insert({ ...mine, user_id: ada.id })).error).toMatchObject({
      code: "42501",
    });
    expect((await likes().insert({ ...mine, message_id: randomUUID() })).error).toMatchObject({
      code: "FF316",
    });
    for (let time = 1; time <= 3; time += 1) {
      expect((await likes().insert(mine)).error).toBeNull();
      expect((await likes().insert(mine)).error).toMatchObject({ code: "23505" });
      expect((await likes().delete().eq("message_id", id)).error).toBeNull();
    }
    expect(await progress()).toBe(1);
    const own = await postMessage(eve);
    expect((await likes().insert({ ...mine, message_id: own })).error).toBeNull();
    expect(await progress()).toBe(2);
    expect(await stored("chat_messages", "id", id)).toMatchObject([{ like_count: 0 }]);
  });

  test("cannot be seen or removed by another member", async () => {
    const id = await postMessage(ada);
    await ada.client.from("message_likes").insert({ user_id: ada.id, message_id: id });
    const likes = () => mallory.client.from("message_likes");
    expect(await likes().select("*").eq("message_id", id)).toMatchObject({ error: null, data: [] });
    await likes().delete().eq("message_id", id);
    expect(await stored("chat_messages", "id", id)).toMatchObject([{ like_count: 1 }]);
  });
});

describe("a reaction", () => {
  test("is the caller's own, one of five, and counts once with the like", async () => {
    const eve = await member();
    const id = await postMessage(ada);
    const given = () => eve.client.from("message_reactions");
    const mine = { user_id: eve.id, message_id: id, reaction: "laugh" };
    const code = async (row: Record<string, unknown>) => (await given().insert(row)).error?.code;
    expect(await code({ ...mine, user_id: ada.id })).toBe("42501");
    expect(await code({ ...mine, message_id: randomUUID() })).toBe("FF316");
    expect(await code({ ...mine, reaction: "love" })).toBe("23514");
    expect(await code({ ...mine, created_at: madeUp.created_at })).toBe("42501");
    await eve.client.from("message_likes").insert({ user_id: eve.id, message_id: id });
    for (const reaction of ["laugh", "thanks", "insight"]) {
      expect(await code({ ...mine, reaction })).toBeUndefined();
      expect(await code({ ...mine, reaction })).toBe("23505");
    }
    expect((await given().delete().eq("reaction", "laugh")).error).toBeNull();
    expect(await code(mine)).toBeUndefined();
    expect(await stored("user_progress", "user_id", eve.id)).toMatchObject([
      { message_engagements: 1 },
    ]);
    const counts = { laugh: 1, thanks: 1, insight: 1 };
    expect(await stored("chat_messages", "id", id)).toMatchObject([{ reaction_counts: counts }]);
    const others = () => mallory.client.from("message_reactions");
    expect((await others().select("*").eq("message_id", id)).data).toEqual([]);
    await others().delete().eq("message_id", id);
    const forged = { reaction_counts: { laugh: 9999 } };
    const update = await mallory.client.from("chat_messages").update(forged).eq("id", id);
    expect(update.error).toMatchObject({ code: "42501" });
    expect(await stored("chat_messages", "id", id)).toMatchObject([{ reaction_counts: counts }]);
  });
});

describe("a pin", () => {
  test("is set and removed by administrators only", async () => {
    const id = await postMessage(ada);
    const pins = async () => (await mallory.client.rpc("room_pins", { room_id: roomAt[1] })).data;
    const call = async ({ client }: Account, name: string) =>
      (await client.rpc(name, { message_id: id })).error?.code;
    for (const each of [ada, mallory, await member("mentor-access")]) {
      expect(await call(each, "pin_message")).toBe("FF321");
    }
    expect(await pins()).toEqual([]);
    expect(await call(admin, "pin_message")).toBeUndefined();
    expect(await call(ada, "unpin_message")).toBe("FF321");
    expect(await pins()).toMatchObject([{ message_id: id }]);
    expect(await call(admin, "unpin_message")).toBeUndefined();
    expect(await pins()).toEqual([]);
  });
});

describe("moderation", () => {
  test("is allowed for administrators only", async () => {
    for (const { client } of [mallory, await member("mentor-access")]) {
      expect((await client.rpc("report_queue")).error).toMatchObject({ code: "FF002" });
      const decision = { report_id: 1, decision: "remove" };
      expect((await client.rpc("resolve_report", decision)).error).toMatchObject({
        code: "FF002",
      });
    }
    expect((await admin.client.rpc("report_queue")).error).toBeNull();
  });
});
