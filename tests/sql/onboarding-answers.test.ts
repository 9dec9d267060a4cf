import { describe, expect } from "vitest";
import { insertStatement, requiredAnswers, test, upsertStatement } from "./world.ts";

const answerKey = "user_id, page_number, question";

describe("progress through the wizard", () => {
  const sent = (user_id: string) => ({
    user_id,
    current_step: 3,
    completed_steps: [1, 2],
    data: { motivation: "Freedom" },
    updated_at: "2001-01-01T00:00:00Z",
  });

  test("can be saved repeatedly and read by its owner", async ({ world }) => {
    const id = await world.account();
    const table = "onboarding_progress";
    await world.upsert(id, table, sent(id));
    await world.upsert(id, table, { ...sent(id), current_step: 4, completed_steps: [1, 2, 3] });
    const row = await world.one(id, "select * from public.onboarding_progress");
    expect(row).toMatchObject({
      user_id: id,
      current_step: 4,
      completed_steps: [1, 2, 3],
      data: { motivation: "Freedom" },
    });
    expect(Number(row["updated_at"])).toBeGreaterThan(Date.parse("2020-01-01"));
  });

  test("of another account can be neither read nor written", async ({ world }) => {
    const [victim, mallory] = [await world.account(), await world.member()];
    await world.upsert(victim, "onboarding_progress", sent(victim));
    expect(await world.run(mallory, "select * from public.onboarding_progress")).toEqual([]);
    const edit = "update public.onboarding_progress set current_step = 9 where user_id = $1";
    expect(await world.count(mallory, edit, [victim])).toBe(0);
    const upsert = upsertStatement("onboarding_progress", sent(victim), "user_id");
    await world.refused(mallory, "42501", ...upsert);
    const planted = insertStatement("onboarding_progress", sent(await world.account()));
    await world.refused(mallory, "42501", ...planted);
    await world.upsert(mallory, "onboarding_progress", sent(mallory));
    const give = "update public.onboarding_progress set user_id = $1";
    await world.refused(mallory, "42501", give, [await world.account()]);
    const everybody = "update public.onboarding_progress set current_step = 9";
    expect(await world.count(mallory, everybody)).toBe(1);
    await world.refused("anon", "42501", "select * from public.onboarding_progress");
    const row = await world.one(
      "owner",
      "select * from public.onboarding_progress where user_id = $1",
      [victim],
    );
    expect(row).toMatchObject({ current_step: 3 });
  });

  test("cannot be deleted by its owner", async ({ world }) => {
    const id = await world.account();
    await world.upsert(id, "onboarding_progress", sent(id));
    await world.refused(id, "42501", "delete from public.onboarding_progress");
  });

  test.for([
    ["current_step", 0],
    ["current_step", 10],
    ["completed_steps", [0]],
    ["completed_steps", [10]],
    ["completed_steps", [null]],
    ["completed_steps", [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]],
    ["data", JSON.stringify(["a list"])],
    ["data", JSON.stringify("text")],
    ["data", JSON.stringify({ a: "x".repeat(65_530) })],
  ] as const)("does not take %s %j", async ([column, value], { world }) => {
    const id = await world.account();
    const row = { ...sent(id), [column]: value };
    await world.refused(id, "23514", ...upsertStatement("onboarding_progress", row, "user_id"));
  });

  test("takes data of 64 KB and every step", async ({ world }) => {
    const id = await world.account();
    const data = JSON.stringify({ a: "x".repeat(65_527) });
    const steps = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    const row = { ...sent(id), current_step: 9, completed_steps: steps, data };
    expect(await world.upsert(id, "onboarding_progress", row)).toMatchObject({ current_step: 9 });
  });
});

describe("answers", () => {
  const sent = (user_id: string) => ({
    user_id,
    page_number: 6,
    question: "motivation",
    answer: "Freedom",
  });

  test("can be inserted, replaced and read by their owner", async ({ world }) => {
    const id = await world.account();
    await world.upsert(id, "onboarding_responses", sent(id), answerKey);
    await world.upsert(id, "onboarding_responses", { ...sent(id), answer: "Time" }, answerKey);
    const row = await world.one(id, "select * from public.onboarding_responses");
    expect(row).toMatchObject({ ...sent(id), answer: "Time" });
  });

  test("have the time of the change, which clients cannot set", async ({ world }) => {
    const id = await world.account();
    await world.insert("owner", "onboarding_responses", {
      ...sent(id),
      updated_at: "2001-01-01T00:00:00Z",
    });
    const row = await world.one(
      "owner",
      "select * from public.onboarding_responses where user_id = $1",
      [id],
    );
    expect(Number(row["updated_at"])).toBeGreaterThan(Date.parse("2020-01-01"));
    const forged = { ...sent(id), updated_at: "2001-01-01T00:00:00Z" };
    await world.refused(id, "42501", ...upsertStatement("onboarding_responses", forged, answerKey));
  });

  test("of another account can be neither read nor written", async ({ world }) => {
    const [victim, mallory] = [await world.account(), await world.member()];
    await world.upsert(victim, "onboarding_responses", sent(victim), answerKey);
    const read = "select * from public.onboarding_responses where user_id = $1";
    expect(await world.run(mallory, read, [victim])).toEqual([]);
    expect(await world.run(await world.admin(), read, [victim])).toEqual([]);
    const edit = "update public.onboarding_responses set answer = 'Owned' where user_id = $1";
    expect(await world.count(mallory, edit, [victim])).toBe(0);
    const upsert = upsertStatement("onboarding_responses", sent(victim), answerKey);
    await world.refused(mallory, "42501", ...upsert);
    const planted = { ...sent(victim), question: "planted" };
    await world.refused(mallory, "42501", ...insertStatement("onboarding_responses", planted));
    const give = "update public.onboarding_responses set user_id = $1";
    await world.refused(mallory, "42501", give, [await world.account()]);
    const everybody =
      "update public.onboarding_responses set answer = case when question ~ '_name$' then 'Ada' else '7' end";
    expect(await world.count(mallory, everybody)).toBe(requiredAnswers.length);
    await world.refused("anon", "42501", "select * from public.onboarding_responses");
    expect(await world.one("owner", read, [victim])).toMatchObject({ answer: "Freedom" });
  });

  test("cannot be deleted by their owner", async ({ world }) => {
    const id = await world.account();
    await world.insert(id, "onboarding_responses", sent(id));
    await world.refused(id, "42501", "delete from public.onboarding_responses");
  });

  test.for([
    ["page_number", 0],
    ["page_number", 10],
    ["question", ""],
    ["question", "q".repeat(201)],
    ["answer", "a".repeat(5001)],
  ] as const)("do not take %s %j", async ([column, value], { world }) => {
    const id = await world.account();
    const row = { ...sent(id), [column]: value };
    await world.refused(id, "23514", ...upsertStatement("onboarding_responses", row, answerKey));
  });

  test("are limited to 60, and replacing the 60th still works", async ({ world }) => {
    const id = await world.account();
    const many = `insert into public.onboarding_responses (user_id, page_number, question, answer)
      select $1, 1, 'q' || n, 'a' from generate_series(1, $2::int) n`;
    await world.refused(id, "FF110", many, [id, 61]);
    await world.run(id, many, [id, 60]);
    await world.refused(
      id,
      "FF110",
      ...upsertStatement("onboarding_responses", sent(id), answerKey),
    );
    const again = { user_id: id, page_number: 1, question: "q60", answer: "b" };
    await world.upsert(id, "onboarding_responses", again, answerKey);
    expect(await world.run(id, "select * from public.onboarding_responses")).toHaveLength(60);
  });
});
