import { describe, expect } from "vitest";
import { requiredAnswers, test, upsertStatement, type World } from "./world.ts";

const finish = "update public.profiles set onboarding_complete = true where id = $1";

async function isOnboarded(world: World, id: string): Promise<unknown> {
  const row = await world.one("owner", "select * from public.profiles where id = $1", [id]);
  return row["onboarding_complete"];
}

/** An account that has paid, answered and submitted a document: one update away from being onboarded. */
async function readyToFinish(world: World): Promise<string> {
  const id = await world.newcomer();
  await world.subscribe(id);
  await world.answer(id);
  await world.handIn(id);
  return id;
}

describe("finishing onboarding", () => {
  test("works once all steps are done, by update and again by upsert", async ({ world }) => {
    const id = await readyToFinish(world);
    expect(await world.count(id, finish, [id])).toBe(1);
    expect(await isOnboarded(world, id)).toBe(true);
    const again = await world.upsert(id, "profiles", { id, onboarding_complete: true }, "id");
    expect(again).toMatchObject({ onboarding_complete: true });
  });

  test("works by upsert the first time as well", async ({ world }) => {
    const id = await readyToFinish(world);
    const row = await world.upsert(id, "profiles", { id, onboarding_complete: true }, "id");
    expect(row).toMatchObject({ onboarding_complete: true });
  });

  test("cannot be undone by the member", async ({ world }) => {
    const id = await world.member();
    await world.run(id, "update public.profiles set onboarding_complete = false where id = $1", [
      id,
    ]);
    await world.upsert(id, "profiles", { id, onboarding_complete: false }, "id");
    expect(await isOnboarded(world, id)).toBe(true);
  });

  test("is refused for another account", async ({ world }) => {
    const [id, mallory] = [await readyToFinish(world), await world.member()];
    expect(await world.count(mallory, finish, [id])).toBe(0);
    expect(await isOnboarded(world, id)).toBe(false);
  });

  test.for(["past_due", "canceled", "incomplete", "unpaid", "paused", "not_started"])(
    "is refused while the subscription is %s",
    async (status, { world }) => {
      const id = await readyToFinish(world);
      await world.setSubscriptionStatus(id, status);
      await world.refused(id, "FF101", finish, [id]);
      const upsert = upsertStatement("profiles", { id, onboarding_complete: true }, "id");
      await world.refused(id, "FF101", ...upsert);
      expect(await isOnboarded(world, id)).toBe(false);
    },
  );

  test("is refused without any subscription, and with a deleted one", async ({ world }) => {
    const id = await world.newcomer();
    await world.answer(id);
    await world.handIn(id);
    await world.refused(id, "FF101", finish, [id]);
    await world.subscribe(id);
    await world.run("owner", "update public.stripe_customers set deleted_at = now()");
    await world.refused(id, "FF101", finish, [id]);
  });

  test.for(requiredAnswers.map(([, question]) => question))(
    "is refused while %s is unanswered, and says so",
    async (question, { world }) => {
      const id = await world.newcomer();
      await world.subscribe(id);
      await world.answer(id, [question]);
      await world.handIn(id);
      const refusal = await world.run(id, finish, [id]).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ code: "FF102", detail: question });
      expect(await isOnboarded(world, id)).toBe(false);
    },
  );

  test.for([
    [6, "motivation", "   \n"],
    [6, "motivation", null],
    [6, "commitment_level", "0"],
    [6, "commitment_level", "11"],
    [6, "commitment_level", "lots"],
    [7, "first_name", ""],
  ] as const)("does not take answer %j %s %j", async ([page, question, answer], { world }) => {
    const id = await readyToFinish(world);
    const row = { user_id: id, page_number: page, question, answer };
    await world.upsert(id, "onboarding_responses", row, "user_id, page_number, question");
    await world.refused(id, "FF102", finish, [id]);
  });

  test("does not take answers given on another page or by another account", async ({ world }) => {
    const [id, other] = [await world.newcomer(), await world.newcomer()];
    await world.subscribe(id);
    await world.answer(other);
    await world.answer(id, ["goals_1_year"]);
    await world.handIn(id);
    const row = { user_id: id, page_number: 5, question: "goals_1_year", answer: "Elsewhere" };
    await world.insert(id, "onboarding_responses", row);
    await world.refused(id, "FF102", finish, [id]);
  });

  test("is refused without an identity document", async ({ world }) => {
    const id = await world.newcomer();
    await world.subscribe(id);
    await world.answer(id);
    await world.refused(id, "FF103", finish, [id]);
  });

  test("is refused while the only document is rejected, and works with the next", async ({
    world,
  }) => {
    const id = await world.newcomer();
    await world.subscribe(id);
    await world.answer(id);
    await world.reject(id, 1, await world.admin());
    await world.refused(id, "FF103", finish, [id]);
    await world.handIn(id);
    expect(await world.count(id, finish, [id])).toBe(1);
  });

  test("is not required of the server role", async ({ world }) => {
    const id = await world.newcomer();
    expect(await world.count("service_role", finish, [id])).toBe(1);
    expect(await isOnboarded(world, id)).toBe(true);
  });
});
