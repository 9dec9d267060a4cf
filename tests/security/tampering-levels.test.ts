import { expect, test } from "vitest";
import { member, newcomer, owner, stored } from "./members.ts";

test("a first row with level 4 is stored with level 1", async () => {
  const { client, id } = await newcomer();
  const forged = { user_id: id, current_level: 4, unlocked_levels: [0, 1, 2, 3, 4] };
  const { data, error } = await client.from("user_levels").upsert(forged).select().single();
  expect(error).toBeNull();
  expect(data).toMatchObject({ current_level: 1, unlocked_levels: [0, 1] });
  expect((await client.rpc("effective_level")).data).toBe(0);
});

test("an earned level is kept when a client sends another level", async () => {
  const { client, id } = await member();
  await owner.query(
    "update public.user_levels set current_level = 2, unlocked_levels = '{0,1,2}' where user_id = $1",
    [id],
  );
  const before = await stored("user_levels", "user_id", id);
  for (const current_level of [1, 4]) {
    const sent = {
      user_id: id,
      current_level,
      unlocked_levels: [0, 1],
      updated_at: "2001-01-01T00:00:00Z",
    };
    expect(
      (await client.from("user_levels").upsert(sent, { onConflict: "user_id" })).error,
    ).toBeNull();
    expect((await client.from("user_levels").update(sent).eq("user_id", id)).error).toBeNull();
  }
  expect(await stored("user_levels", "user_id", id)).toEqual(before);
  expect((await client.rpc("effective_level")).data).toBe(2);
});

test("counters sent by a client change nothing, and cannot be inserted", async () => {
  const { client, id } = await newcomer();
  const early = await client
    .from("user_progress")
    .insert({ user_id: id, message_engagements: 9999 });
  expect(early.error).toMatchObject({ code: "42501" });
  expect((await client.from("user_progress").insert({ user_id: id })).error).toBeNull();
  const before = await stored("user_progress", "user_id", id);
  const forged = {
    current_level: 4,
    chat_rooms_opened: ["a", "b", "c", "d", "e"],
    learning_submissions: 3,
    message_engagements: 9999,
    articles_read_by_category: { general: ["x"], business: [], wealth: [] },
    courses_completed_by_category: { general: ["x"], business: [], wealth: [] },
    level_completed_at: new Date().toISOString(),
  };
  const { data, error } = await client
    .from("user_progress")
    .update(forged)
    .eq("user_id", id)
    .select()
    .single();
  expect(error).toBeNull();
  expect(data).toMatchObject({ message_engagements: 0, current_level: 1 });
  expect(await stored("user_progress", "user_id", id)).toEqual(before);
});

test("counters and levels of another member can be neither read nor written", async () => {
  const [victim, mallory] = [await member(), await member()];
  await victim.client.from("user_progress").insert({ user_id: victim.id });
  for (const table of ["user_progress", "user_levels"]) {
    const all = await mallory.client.from(table).select("*").neq("user_id", mallory.id);
    expect(all).toMatchObject({ error: null, data: [] });
    const update = await mallory.client
      .from(table)
      .update({ current_level: 1 })
      .eq("user_id", victim.id)
      .select();
    expect(update).toMatchObject({ error: null, data: [] });
  }
});
