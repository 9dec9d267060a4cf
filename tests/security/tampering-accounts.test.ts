import { beforeAll, describe, expect, test } from "vitest";
import { signUp, type Account } from "../support/clients.ts";
import { member, newcomer, owner, stored, startMembership } from "./members.ts";

describe("a client that claims to be an administrator", () => {
  let mallory: Account;
  beforeAll(async () => {
    mallory = await newcomer();
  });

  test("gets no role from its sign-up metadata", async () => {
    const forger = await signUp({ role: "admin", onboarding_complete: true, is_super_admin: true });
    const { data } = await forger.client
      .from("profiles")
      .insert({ id: forger.id, role: "admin", onboarding_complete: true })
      .select()
      .single();
    expect(data).toMatchObject({ role: "student", onboarding_complete: false });
    expect((await forger.client.rpc("admin_overview")).error).toMatchObject({ code: "FF002" });
  });

  test("keeps its role after an update and an upsert", async () => {
    const { client, id } = mallory;
    const update = await client.from("profiles").update({ role: "admin" }).eq("id", id);
    expect(update.error).toBeNull();
    const upsert = await client.from("profiles").upsert({ id, role: "mentor", first_name: "M" });
    expect(upsert.error).toBeNull();
    expect(await stored("profiles", "id", id)).toMatchObject([
      { role: "student", first_name: "M" },
    ]);
  });

  test("gets no role from metadata changed through the auth service", async () => {
    await mallory.client.auth.updateUser({ data: { role: "admin" } });
    expect((await mallory.client.rpc("verification_queue")).error).toMatchObject({ code: "FF002" });
  });

  test("cannot reach the private schema", async () => {
    const { client, id } = mallory;
    const direct = await client.rpc("make_admin", { member: id });
    expect(direct.error).toMatchObject({ code: "PGRST202" });
    const exposed = await client.schema("private").rpc("make_admin", { member: id });
    expect(exposed.error).toMatchObject({ code: "PGRST106" });
    const log = await client.schema("private").from("audit_log").select();
    expect(log.error).toMatchObject({ code: "PGRST106" });
    expect(await stored("profiles", "id", id)).toMatchObject([{ role: "student" }]);
  });
});

describe("a client that skips onboarding", () => {
  test("is refused without payment, answers and a document, in that order", async () => {
    const { client, id } = await newcomer();
    const finish = async () =>
      (await client.from("profiles").update({ onboarding_complete: true }).eq("id", id)).error;
    const upsert = async () =>
      (await client.from("profiles").upsert({ id, onboarding_complete: true })).error;
    expect(await finish()).toMatchObject({ code: "FF101" });
    expect(await upsert()).toMatchObject({ code: "FF101" });
    await startMembership(id);
    expect(await finish()).toMatchObject({
      code: "FF102",
      details:
        "biggest_challenge,commitment_level,current_situation,goals_1_year,goals_6_months,motivation,first_name,last_name,occupation",
    });
    const { rows } = await owner.query<{ page_number: number; question: string }>(
      "select page_number, question from private.required_answers",
    );
    const answers = rows.map((row) => ({
      ...row,
      user_id: id,
      answer: row.question.endsWith("_name") ? "Ada" : "5",
    }));
    expect((await client.from("onboarding_responses").upsert(answers)).error).toBeNull();
    expect(await upsert()).toMatchObject({ code: "FF103" });
    expect(await stored("profiles", "id", id)).toMatchObject([{ onboarding_complete: false }]);
  });
});

describe("a client that writes to another account", () => {
  let victim: Account;
  let mallory: Account;
  beforeAll(async () => {
    [victim, mallory] = [await member(), await member()];
  });

  test("can neither change nor insert its profile", async () => {
    const before = await stored("profiles", "id", victim.id);
    const profiles = mallory.client.from("profiles");
    const update = await profiles.update({ bio: "Owned" }).eq("id", victim.id).select();
    expect(update).toMatchObject({ error: null, data: [] });
    const everybody = await profiles.update({ bio: "Owned" }).neq("id", mallory.id).select();
    expect(everybody.data).toEqual([]);
    const upsert = await profiles.upsert({ id: victim.id, bio: "Owned" });
    expect(upsert.error).toMatchObject({ code: "42501" });
    const remove = await profiles.delete().eq("id", victim.id);
    expect(remove.error).toMatchObject({ code: "42501" });
    const other = await signUp();
    const insert = await profiles.insert({ id: other.id });
    expect(insert.error).toMatchObject({ code: "42501" });
    expect(await stored("profiles", "id", victim.id)).toEqual(before);
    expect(await stored("profiles", "id", other.id)).toEqual([]);
  });

  test.for([
    ["onboarding_progress", { current_step: 9 }],
    ["onboarding_responses", { page_number: 6, question: "motivation", answer: "Owned" }],
    ["user_levels", { current_level: 4 }],
  ] as const)("cannot write to its %s", async ([table, row]) => {
    const before = await stored(table, "user_id", victim.id);
    const target = mallory.client.from(table);
    const upsert = await target.upsert({ user_id: victim.id, ...row });
    expect(upsert.error).toMatchObject({ code: "42501" });
    const insert = await target.insert({ user_id: victim.id, ...row });
    expect(insert.error).toMatchObject({ code: "42501" });
    const update = await target.update(row).eq("user_id", victim.id).select();
    expect(update).toMatchObject({ error: null, data: [] });
    const remove = await target.delete().eq("user_id", victim.id);
    expect(remove.error).toMatchObject({ code: "42501" });
    expect(await stored(table, "user_id", victim.id)).toEqual(before);
  });
});

describe("a client that sends invalid values", () => {
  test.for([
    ["onboarding_progress", { current_step: 10 }],
    ["onboarding_progress", { completed_steps: [99] }],
    ["onboarding_progress", { data: { huge: "x".repeat(70_000) } }],
    ["onboarding_progress", { data: [] }],
    ["onboarding_responses", { page_number: 0, question: "q", answer: "" }],
    ["onboarding_responses", { page_number: 1, question: "q", answer: "x".repeat(5001) }],
    ["profiles", { bio: "x".repeat(2001) }],
    ["profiles", { first_name: "x".repeat(101) }],
  ] as const)("is refused: %s", async ([table, row]) => {
    const { client, id } = await newcomer();
    const key = table === "profiles" ? { id } : { user_id: id };
    const { error } = await client.from(table).upsert({ ...key, ...row });
    expect(error).toMatchObject({ code: "23514" });
  });
});
