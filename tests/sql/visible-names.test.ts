import { describe, expect } from "vitest";
import { names, noNames } from "../../web/src/domain/testing/name-cases.ts";
import { test, upsertStatement } from "./world.ts";

const answerKey = "user_id, page_number, question";

describe("a name", () => {
  test("may be written in any script, in onboarding and on the profile", async ({ world }) => {
    const id = await world.member();
    for (const name of names) {
      const answer = { user_id: id, page_number: 7, question: "first_name", answer: name };
      await world.upsert(id, "onboarding_responses", answer, answerKey);
      await world.upsert(id, "profiles", { id, first_name: name, last_name: name }, "id");
      const profile = await world.one(id, "select first_name from public.profiles where id = $1", [
        id,
      ]);
      expect(profile).toEqual({ first_name: name });
    }
  });

  test("that nobody can read is refused at every door, before and after onboarding", async ({
    world,
  }) => {
    const [joining, member] = [await world.account(), await world.member()];
    for (const name of noNames) {
      for (const column of ["first_name", "last_name"]) {
        const answer = { user_id: joining, page_number: 7, question: column, answer: name };
        const [sql, values] = upsertStatement("onboarding_responses", answer, answerKey);
        await world.refused(joining, "FF104", sql, values);
        const update = `update public.profiles set ${column} = $2 where id = $1`;
        await world.refused(member, "FF104", update, [member, name]);
      }
    }
    const made = upsertStatement("profiles", { id: joining, first_name: "\u200b" }, "id");
    await world.refused(joining, "FF104", ...made);
  });

  test("of spaces alone is none, which is allowed until it is required", async ({ world }) => {
    const id = await world.account();
    await world.upsert(id, "profiles", { id, first_name: "  " }, "id");
  });
});

test("an answer that nobody can see is no answer", async ({ world }) => {
  const id = await world.member();
  const goal = { user_id: id, page_number: 6, question: "goals_1_year", answer: "\u200b\u2800" };
  await world.refused(id, "FF102", ...upsertStatement("onboarding_responses", goal, answerKey));
});
