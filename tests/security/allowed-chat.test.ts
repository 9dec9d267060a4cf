import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { Account } from "../support/clients.ts";
import { administrator, member, stored } from "./members.ts";
import { roomAt, postMessage } from "./rooms.ts";

// Only these tests write to this room, so that they read back what they wrote.
const roomId = "accountability";

describe("the chat calls of the specification", () => {
  let ada: Account;
  let bob: Account;
  beforeAll(async () => {
    [ada, bob] = [await member(), await member("mentor-access")];
  });

  test("reads the rooms by level and name, and one by its id", async () => {
    const { data, error } = await ada.client
      .from("chat_rooms")
      .select("*")
      .eq("is_active", true)
      .order("min_level_required", { ascending: true })
      .order("name", { ascending: true });
    expect(error).toBeNull();
    expect(data).toHaveLength(19);
    expect(data?.slice(0, 5).map((room) => room.id)).toEqual([
      "accountability",
      "general",
      "motivation",
      "productivity",
      "success",
    ]);
    const one = await ada.client.from("chat_rooms").select("*").eq("id", "legacy").single();
    expect(one.data).toMatchObject({ name: "Legacy", min_level_required: 4, is_active: true });
    const none = await ada.client.from("chat_rooms").select("*").eq("id", "cellar").maybeSingle();
    expect(none).toMatchObject({ data: null, error: null });
  });

  test("joins and leaves a room", async () => {
    const count = async () =>
      (await stored("chat_rooms", "id", "success"))[0]?.["participant_count"];
    const before = Number(await count());
    for (const room_id of ["success", "success"]) {
      expect((await ada.client.rpc("increment_participant_count", { room_id })).error).toBeNull();
    }
    expect(await count()).toBe(before + 1);
    for (const room_id of ["success", "success"]) {
      expect((await ada.client.rpc("decrement_participant_count", { room_id })).error).toBeNull();
    }
    expect(await count()).toBe(before);
  });

  test("sends a message and a reply, and reads the room with separate or embedded authors", async () => {
    const messages = () => ada.client.from("chat_messages");
    const first = await messages()
      .insert({
        user_id: ada.id,
        chat_room_id: roomId,
        content: "This week I write every day.",
        message_type: "message",
        parent_message_id: null,
      })
      .select()
      .single();
    expect(first.error).toBeNull();
    expect(first.data).toMatchObject({ like_count: 0, user_id: ada.id });
    const reply = await bob.client.from("chat_messages").insert({
      user_id: bob.id,
      chat_room_id: roomId,
      content: "Good.",
      message_type: "reply",
      parent_message_id: first.data.id,
    });
    expect(reply.error).toBeNull();
    const list = await messages()
      .select("*")
      .eq("chat_room_id", roomId)
      .order("created_at", { ascending: true });
    expect(list.data?.map((row) => row.content)).toEqual(["This week I write every day.", "Good."]);
    const authors = await ada.client
      .from("profiles")
      .select("id, first_name, last_name, role, occupation")
      .in("id", [...new Set(list.data?.map((row) => row.user_id))]);
    expect(authors.data).toHaveLength(2);
    const along = await messages()
      .select("*, author:profiles(id, first_name, last_name, role, occupation)")
      .eq("chat_room_id", roomId)
      .order("created_at", { ascending: true });
    expect(along.error).toBeNull();
    expect(along.data?.map((row) => row.author)).toMatchObject([
      { id: ada.id, first_name: "Ada", role: "student" },
      { id: bob.id, last_name: "Byron", role: "mentor" },
    ]);
  });

  test("reads, adds and removes likes, and sends a like count", async () => {
    const id = await postMessage(ada, "Likeable", roomId);
    const likes = () => bob.client.from("message_likes");
    expect((await likes().insert({ user_id: bob.id, message_id: id })).error).toBeNull();
    const update = await bob.client.from("chat_messages").update({ like_count: 1 }).eq("id", id);
    expect(update.error).toBeNull();
    const own = await likes().select("message_id").eq("user_id", bob.id);
    expect(own.data).toEqual([{ message_id: id }]);
    expect(await stored("chat_messages", "id", id)).toMatchObject([{ like_count: 1 }]);
    const gone = await likes().delete().eq("user_id", bob.id).eq("message_id", id);
    expect(gone.error).toBeNull();
    expect(await stored("chat_messages", "id", id)).toMatchObject([{ like_count: 0 }]);
  });
});

describe("the chat calls beyond the specification", () => {
  test("store a message sent twice once", async () => {
    const ada = await member();
    const row = { id: randomUUID(), user_id: ada.id, chat_room_id: roomAt[1], content: "Once" };
    const send = async () =>
      await ada.client
        .from("chat_messages")
        .upsert(row, { onConflict: "id", ignoreDuplicates: true });
    for (const answer of await Promise.all([send(), send(), send()]))
      expect(answer.error).toBeNull();
    expect(await stored("chat_messages", "user_id", ada.id)).toHaveLength(1);
    const again = await ada.client.from("chat_messages").insert(row);
    expect(again).toMatchObject({ status: 409, error: { code: "23505" } });
    expect(await stored("user_progress", "user_id", ada.id)).toMatchObject([
      { message_engagements: 1 },
    ]);
  });

  test("return a page, changes and unread counts, and mark a room read", async () => {
    const [ada, bob] = [await member(), await member()];
    const id = await postMessage(ada, "News", "productivity");
    const page = await bob.client.rpc("room_page", { room_id: "productivity", page_size: 1 });
    expect(page.data).toMatchObject([{ id, author_first_name: "Ada", liked_by_me: false }]);
    const changes = await bob.client.rpc("room_changes_since", {
      room_id: "productivity",
      since: page.data[0].changed_at,
    });
    expect((changes.data as { id: string }[]).map((row) => row.id)).toContain(id);
    const unread = async () => {
      const { data } = await bob.client.rpc("chat_room_overview");
      return (data as { id: string; unread_count: number }[]).find(
        (room) => room.id === "productivity",
      )?.unread_count;
    };
    expect(await unread()).toBe(1);
    const up_to = page.data[0].created_at;
    const read = await bob.client.rpc("mark_room_read", { room_id: "productivity", up_to });
    expect(read.error).toBeNull();
    expect(await unread()).toBe(0);
  });

  test("edit and delete the member's own message, report another one and decide about it", async () => {
    const [ada, bob, admin] = [await member(), await member(), await administrator()];
    const id = await postMessage(ada, "Helo");
    const edit = { message_id: id, new_content: "Hello" };
    expect((await ada.client.rpc("edit_message", edit)).error).toBeNull();
    const report = { kind: "message", subject_id: id, reason: "Not a greeting" };
    expect((await bob.client.rpc("report", report)).error).toBeNull();
    const queue = await admin.client.rpc("report_queue", { kind: "message" });
    const row = (queue.data as { subject_id: string; report_id: number }[]).find(
      (each) => each.subject_id === id,
    );
    expect(row).toMatchObject({ snapshot: { content: "Hello" }, reasons: ["Not a greeting"] });
    const decision = { report_id: row?.report_id, decision: "remove", explanation: "Rude" };
    expect((await admin.client.rpc("resolve_report", decision)).error).toBeNull();
    expect(await stored("chat_messages", "id", id)).toMatchObject([{ content: "" }]);
    expect((await ada.client.rpc("delete_message", { message_id: id })).error).toBeNull();
  });
});
