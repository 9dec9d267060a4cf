import { describe, expect } from "vitest";
import { test, upsertStatement } from "./world.ts";

const answerKey = "user_id, page_number, question";
const goal = (user_id: string, answer: string | null) => ({
  user_id,
  page_number: 6,
  question: "goals_1_year",
  answer,
});

describe("after onboarding a member", () => {
  test("changes profile and answers", async ({ world }) => {
    const id = await world.member();
    const edited = { first_name: "Augusta", last_name: "King", occupation: "Author", bio: null };
    await world.upsert(id, "profiles", { id, ...edited }, "id");
    expect(await world.one(id, "select * from public.profiles where id = $1", [id])).toMatchObject({
      ...edited,
      onboarding_complete: true,
    });
    expect(
      await world.upsert(id, "onboarding_responses", goal(id, "Ten clients"), answerKey),
    ).toMatchObject({ answer: "Ten clients" });
  });

  test.for(["first_name", "last_name", "occupation"])(
    "cannot leave %s empty, as at onboarding",
    async (column, { world }) => {
      const id = await world.member();
      for (const value of ["", "  ", null]) {
        const sql = `update public.profiles set ${column} = $2 where id = $1`;
        await world.refused(id, "FF102", sql, [id, value]);
        const row = { user_id: id, page_number: 7, question: column, answer: value };
        await world.refused(
          id,
          "FF102",
          ...upsertStatement("onboarding_responses", row, answerKey),
        );
      }
    },
  );

  test("cannot take a required answer away, and may change others freely", async ({ world }) => {
    const id = await world.member();
    for (const answer of ["", " ", null]) {
      await world.refused(
        id,
        "FF102",
        ...upsertStatement("onboarding_responses", goal(id, answer), answerKey),
      );
    }
    const commitment = { user_id: id, page_number: 6, question: "commitment_level", answer: "11" };
    await world.refused(
      id,
      "FF102",
      ...upsertStatement("onboarding_responses", commitment, answerKey),
    );
    await world.upsert(
      id,
      "onboarding_responses",
      { user_id: id, page_number: 7, question: "bio", answer: "" },
      answerKey,
    );
  });

  test("cannot move an answer to another question", async ({ world }) => {
    const id = await world.member();
    await world.run(
      id,
      `update public.onboarding_responses set question = 'moved', page_number = 7
       where user_id = $1 and question = 'goals_1_year'`,
      [id],
    );
    const sql =
      "select page_number from public.onboarding_responses where user_id = $1 and question = $2";
    expect(await world.run(id, sql, [id, "goals_1_year"])).toEqual([{ page_number: 6 }]);
    expect(await world.run(id, sql, [id, "moved"])).toEqual([]);
  });

  test("changes nobody else's profile or answers", async ({ world }) => {
    const [victim, mallory] = [await world.member(), await world.member()];
    const rename = "update public.profiles set first_name = 'Eve' where id = $1";
    expect(await world.count(mallory, rename, [victim])).toBe(0);
    const upsert = upsertStatement("onboarding_responses", goal(victim, "Forged"), answerKey);
    await world.refused(mallory, "42501", ...upsert);
    const rewrite = "update public.onboarding_responses set answer = 'x' where user_id = $1";
    expect(await world.count(mallory, rewrite, [victim])).toBe(0);
  });
});

test("before onboarding is finished an answer may still be emptied", async ({ world }) => {
  const id = await world.newcomer();
  expect(await world.upsert(id, "onboarding_responses", goal(id, ""), answerKey)).toMatchObject({
    answer: "",
  });
});
