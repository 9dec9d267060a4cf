import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { Account } from "../support/clients.ts";
import { member } from "./members.ts";

// A member rises from level 1 to level 2 through the official client only.
const rooms = ["general", "accountability", "motivation", "productivity", "success"] as const;

type Kind = "room" | "submission" | "message" | "like";

/** Messages of another member in the first room, to like. */
let likeable: string[] = [];
beforeAll(async () => {
  const author = await member();
  likeable = Array.from({ length: 25 }, () => randomUUID());
  const rows = likeable.map((id, n) => ({
    id,
    user_id: author.id,
    chat_room_id: "general",
    content: `Thought ${n}`,
  }));
  const { error } = await author.client.from("chat_messages").insert(rows);
  if (error) throw new Error(error.message);
});

/** Causes one progress event with the calls of the spec. */
async function act({ client, id }: Account, kind: Kind, n: number): Promise<void> {
  const said = { user_id: id, chat_room_id: "general", content: `Message ${n}` };
  const shared = { user_id: id, submission_type: "success", title: `Step ${n}`, content: "Done." };
  const { error } = await {
    room: () => client.rpc("increment_participant_count", { room_id: rooms[n - 1] }),
    submission: () => client.from("learning_submissions").insert(shared),
    message: () => client.from("chat_messages").insert({ ...said, message_type: "message" }),
    like: () => client.from("message_likes").insert({ user_id: id, message_id: likeable[n - 1] }),
  }[kind]();
  if (error) throw new Error(`${kind} ${n}: ${error.code} ${error.message}`);
}

async function actAll(account: Account, counts: Readonly<Record<Kind, number>>): Promise<void> {
  for (const kind of ["room", "submission", "message", "like"] as const) {
    for (let n = 1; n <= counts[kind]; n += 1) await act(account, kind, n);
  }
}

/** Level and counters as the member's client reads them. */
async function readLevelAndProgress({ client, id }: Account) {
  const [levels, progress, completions, effective] = await Promise.all([
    client.from("user_levels").select("current_level, unlocked_levels").eq("user_id", id).single(),
    client.from("user_progress").select("*").eq("user_id", id).single(),
    client.from("level_completions").select("level"),
    client.rpc("effective_level"),
  ]);
  return {
    ...levels.data,
    effective: effective.data,
    mirrored: progress.data?.current_level,
    rooms: progress.data?.chat_rooms_opened.length,
    submissions: progress.data?.learning_submissions,
    engagements: progress.data?.message_engagements,
    completions: completions.data?.map(({ level }) => level),
  };
}

const enough = { room: 5, submission: 3, message: 30, like: 20 } as const;
const atOne = {
  current_level: 1,
  unlocked_levels: [0, 1],
  effective: 1,
  mirrored: 1,
  completions: [],
};
const atTwo = {
  current_level: 2,
  unlocked_levels: [0, 1, 2],
  effective: 2,
  mirrored: 2,
  completions: [1],
  rooms: 5,
  submissions: 3,
  engagements: 50,
};

describe("a member at level 1", () => {
  test.for(["room", "submission", "message", "like"] as const)(
    "stays at level 1 one %s short, and reaches level 2 with it",
    async (last) => {
      const account = await member();
      await actAll(account, { ...enough, [last]: enough[last] - 1 });
      expect(await readLevelAndProgress(account)).toMatchObject(atOne);
      const locked = { user_id: account.id, chat_room_id: "reading-circle", content: "May I?" };
      const early = await account.client.from("chat_messages").insert(locked);
      expect(early.error).toMatchObject({ code: "FF311" });
      await act(account, last, enough[last]);
      expect(await readLevelAndProgress(account)).toEqual(atTwo);
      expect((await account.client.from("chat_messages").insert(locked)).error).toBeNull();
      expect(await readLevelAndProgress(account)).toMatchObject({
        current_level: 2,
        completions: [1],
      });
    },
  );

  test("is raised once by two concurrent last progress events", async () => {
    const account = await member();
    await actAll(account, { room: 5, submission: 2, message: 30, like: 19 });
    await Promise.all([act(account, "submission", 3), act(account, "like", 20)]);
    expect(await readLevelAndProgress(account)).toEqual(atTwo);
  });

  test("reads every progress event as evidence and in the history of the day", async () => {
    const account = await member();
    await actAll(account, { room: 2, submission: 1, message: 1, like: 1 });
    const evidence = async (kind: string) => {
      const { data, error } = await account.client.rpc("progress_evidence", { kind });
      expect(error).toBeNull();
      return data as { label: string; path: string; kind: string }[];
    };
    expect(await evidence("rooms")).toMatchObject([
      { label: "Accountability", path: "/chats/accountability" },
      { label: "General", path: "/chats/general" },
    ]);
    expect(await evidence("submissions")).toMatchObject([{ label: "Step 1" }]);
    expect(await evidence("engagements")).toMatchObject([
      {
        kind: "like",
        label: "Thought 0",
        path: expect.stringContaining("/chats/general") as string,
      },
      { kind: "message", label: "Message 1" },
    ]);
    expect(await evidence("articles")).toEqual([]);
    const { data } = await account.client.rpc("progress_history", { days: 1 });
    expect(data).toMatchObject([{ rooms: 2, submissions: 1, engagements: 2, articles: 0 }]);
    const rank = await account.client.rpc("engagement_rank").single();
    expect(rank.data).toMatchObject({ engagements: 2 });
  });
});

describe("one progress event short of level 2", () => {
  let account: Account;
  beforeAll(async () => {
    account = await member();
    await actAll(account, { room: 5, submission: 3, message: 29, like: 20 });
  });

  /** Expects unchanged level and counters. */
  async function still() {
    expect(await readLevelAndProgress(account)).toEqual({
      ...atOne,
      rooms: 5,
      submissions: 3,
      engagements: 49,
    });
  }

  test("liking again changes nothing", async () => {
    const mine = { user_id: account.id, message_id: likeable[0] };
    const likes = account.client.from("message_likes");
    expect((await likes.insert(mine)).error).toMatchObject({ code: "23505" });
    expect((await likes.delete().match(mine)).error).toBeNull();
    expect((await likes.insert(mine)).error).toBeNull();
    await still();
  });

  test("liking your own message changes nothing", async () => {
    const { data } = await account.client
      .from("chat_messages")
      .select("id")
      .eq("user_id", account.id)
      .limit(1)
      .single();
    const own = { user_id: account.id, message_id: data?.id as string };
    expect((await account.client.from("message_likes").insert(own)).error).toBeNull();
    await still();
  });

  test("sending the same message again changes nothing", async () => {
    const { data } = await account.client
      .from("chat_messages")
      .select("*")
      .eq("user_id", account.id)
      .limit(1)
      .single();
    const { id, user_id, chat_room_id, content } = data as Record<string, string>;
    const again = { id, user_id, chat_room_id, content };
    const { error } = await account.client
      .from("chat_messages")
      .upsert(again, { ignoreDuplicates: true });
    expect(error).toBeNull();
    await still();
  });

  test("leaving a room and joining again changes nothing", async () => {
    for (let n = 0; n < 3; n += 1) {
      await account.client.rpc("decrement_participant_count", { room_id: "general" });
      await act(account, "room", 1);
    }
    await still();
  });

  test("counters, levels and completions sent by a client change nothing", async () => {
    const { client, id } = account;
    const forged = { message_engagements: 50, current_level: 4, learning_submissions: 99 };
    expect((await client.from("user_progress").update(forged).eq("user_id", id)).error).toBeNull();
    const level = { user_id: id, current_level: 4, unlocked_levels: [0, 1, 2, 3, 4] };
    expect((await client.from("user_levels").upsert(level)).error).toBeNull();
    const done = await client.from("level_completions").insert({ user_id: id, level: 1 });
    expect(done.error).toMatchObject({ code: "42501" });
    const cheap = await client.from("level_requirements").update({ needed: 1 }).eq("level", 1);
    expect(cheap.error).toMatchObject({ code: "42501" });
    await still();
  });

  test("the level engine cannot be called through the API", async () => {
    const { client, id } = account;
    for (const name of ["record_progress_event", "raise_level", "enforce_rate_limit"]) {
      const call = { member: id, kind: "message", reference: "x", action: "like" };
      expect((await client.rpc(name, call)).error).toMatchObject({ code: "PGRST202" });
    }
    for (const table of ["progress_ledger", "engagement_histogram", "rate_limits"]) {
      expect((await client.from(table).select("*")).error).toMatchObject({ code: "PGRST205" });
      const hidden = await client.schema("private").from(table).select("*");
      expect(hidden.error).toMatchObject({ code: "PGRST106" });
    }
    await still();
  });

  test("deleting a submission or a message lowers no level", async () => {
    await act(account, "message", 30);
    expect(await readLevelAndProgress(account)).toEqual(atTwo);
    const { data } = await account.client
      .from("learning_submissions")
      .select("id")
      .eq("user_id", account.id);
    for (const { id } of data ?? []) {
      await account.client.rpc("delete_submission", { submission_id: id as string });
    }
    expect(await readLevelAndProgress(account)).toEqual(atTwo);
  });
});
