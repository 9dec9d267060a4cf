import { describe, expect } from "vitest";
import {
  achievementsOf,
  earnedKeys,
  finishCourse,
  nextOf,
  recordWeeksAgo,
} from "./achievement-world.ts";
import {
  answerWitnessSql,
  closePactSql,
  makeTestPact,
  newWitness,
  shareOutcome,
} from "./pact-world.ts";
import { profileOf } from "./people-world.ts";
import { recordProgressEvent, recordProgressEvents } from "./progress-events.ts";
import { atLevel, complete, courseOf, courseProgressOf, enrol, shelf } from "./library-world.ts";
import { test, type Row, type World } from "./world.ts";

const choose = "select public.set_profile_choices('{}', true, true, $1)";

describe("first steps", () => {
  test("are earned once each, by the first event of their kind", async ({ world }) => {
    const ada = await world.member();
    expect(await earnedKeys(world, ada)).toEqual([]);
    for (const kind of ["room_opened", "message", "submission"]) {
      await recordProgressEvent(world, ada, kind, "one");
      await recordProgressEvent(world, ada, kind, "two");
    }
    await recordProgressEvent(world, ada, "like", "one");
    expect(await earnedKeys(world, ada)).toEqual([
      "first_message",
      "first_room",
      "first_submission",
    ]);
    await recordProgressEvent(world, ada, "article_read", "text", "general");
    await recordProgressEvents(world, ada, "course_completed", 5, "general");
    expect(await earnedKeys(world, ada)).toEqual([
      "courses_5",
      "first_article",
      "first_course",
      "first_message",
      "first_room",
      "first_submission",
    ]);
    expect(await nextOf(world, ada, "courses")).toMatchObject({
      key: "courses_15",
      count: 5,
      needed: 15,
    });
    expect(await nextOf(world, ada, "messages")).toBeNull();
  });

  test("stay when what earned them is deleted, with their day", async ({ world }) => {
    const ada = await world.member();
    const row = { user_id: ada, submission_type: "success", title: "One", content: "Words." };
    const { id } = await world.insert(ada, "learning_submissions", row);
    const before = (await achievementsOf(world, ada)).earned;
    expect(before).toMatchObject([{ key: "first_submission", title: "First submission" }]);
    await world.run(ada, "select public.delete_submission($1)", [id]);
    expect((await achievementsOf(world, ada)).earned).toEqual(before);
    await world.insert(ada, "learning_submissions", row);
    expect((await achievementsOf(world, ada)).earned).toEqual(before);
  });
});

describe("levels", () => {
  test("are achieved by reaching them, and all four by completing the last", async ({ world }) => {
    const ada = await atLevel(world, 3);
    expect(await earnedKeys(world, ada)).toEqual(["level_2", "level_3"]);
    await world.run(
      "owner",
      "insert into public.level_completions (user_id, level) values ($1, 4)",
      [ada],
    );
    expect(await earnedKeys(world, ada)).toEqual(["all_levels", "level_2", "level_3", "level_4"]);
  });
});

async function keepPact(world: World, author: string, witness: string | null, type = "success") {
  const pact = await makeTestPact(world, author, { witnesses: witness === null ? [] : [witness] });
  if (witness !== null) await world.run(witness, answerWitnessSql, [pact, true]);
  await world.run(author, closePactSql, [pact, await shareOutcome(world, author, type)]);
  return pact;
}

describe("pacts kept", () => {
  test("count when another member had accepted to witness them", async ({ world }) => {
    const [ada, tom] = [await newWitness(world, "Ada"), await newWitness(world)];
    await keepPact(world, ada, null);
    await keepPact(world, ada, tom, "failure");
    await keepPact(world, ada, tom, "progress_report");
    const unanswered = await makeTestPact(world, ada, { witnesses: [tom] });
    await world.run(ada, closePactSql, [unanswered, await shareOutcome(world, ada)]);
    expect(await earnedKeys(world, ada)).not.toContain("pacts_1");
    expect(await nextOf(world, ada, "pacts")).toMatchObject({ key: "pacts_1", count: 0 });
    const kept = await keepPact(world, ada, tom);
    expect(await earnedKeys(world, ada)).toContain("pacts_1");
    await world.run(ada, "select public.delete_submission($1)", [kept]);
    expect(await earnedKeys(world, ada)).toContain("pacts_1");
    expect(await nextOf(world, ada, "pacts")).toMatchObject({ key: "pacts_5", count: 0 });
  });
});

describe("a streak of weeks", () => {
  test.for([
    ["none without an event", [], 0],
    ["this week alone", [0], 1],
    ["four weeks in a row", [0, 1, 2, 3], 4],
    ["before this week is over", [1, 2, 3], 3],
    ["one missed week in four", [0, 1, 3, 4], 4],
    ["a missed week every fourth", [0, 1, 2, 4, 5, 6, 8], 7],
    ["the second missed week in four ends it", [0, 1, 3, 4, 6, 7], 4],
    ["two missed weeks in a row end it", [0, 1, 4, 5, 6], 2],
    ["the last week missed is a pause", [2, 3, 4], 3],
    ["the last two weeks missed are the end", [3, 4, 5], 0],
  ] as const)("%s", async ([, weeks, expected], { world }) => {
    const ada = await world.member();
    await recordWeeksAgo(world, ada, ...weeks);
    const { streak } = await achievementsOf(world, ada);
    expect(streak).toEqual({
      weeks: expected,
      is_active_this_week: (weeks as readonly number[]).includes(0),
    });
  });

  test("is an achievement from the week on that completes it, and stays when it ends", async ({
    world,
  }) => {
    const ada = await world.member();
    await recordWeeksAgo(world, ada, 3, 2, 1);
    expect(await earnedKeys(world, ada)).not.toContain("weeks_4");
    await recordWeeksAgo(world, ada, 0);
    expect(await earnedKeys(world, ada)).toContain("weeks_4");
    await world.run(
      "owner",
      "update private.active_weeks set week = week - 70 where user_id = $1",
      [ada],
    );
    expect((await achievementsOf(world, ada)).streak.weeks).toBe(0);
    expect(await earnedKeys(world, ada)).toContain("weeks_4");
  });

  test("goes on by a lesson, before its course is finished", async ({ world }) => {
    const ada = await atLevel(world, 2);
    const { id, modules } = await courseOf(world, await shelf(world, "general"), 2);
    await enrol(world, ada, id);
    await world.run(
      ada,
      "insert into public.module_completions (user_id, module_id) values ($1, $2)",
      [ada, modules[0]],
    );
    expect((await achievementsOf(world, ada)).streak).toEqual({
      weeks: 1,
      is_active_this_week: true,
    });
  });
});

describe("one's own course", () => {
  test("is finished without an achievement, a week or a certificate", async ({ world }) => {
    const mentor = await atLevel(world, 2);
    const { id, modules } = await courseOf(world, await shelf(world, "general"), 1);
    await world.run("owner", "update public.courses set mentor_id = $2 where id = $1", [
      id,
      mentor,
    ]);
    const before = await earnedKeys(world, mentor);
    await enrol(world, mentor, id);
    await complete(world, mentor, modules[0] ?? "");
    expect(await courseProgressOf(world, mentor, id)).toMatchObject({ completed: true });
    expect(await earnedKeys(world, mentor)).toEqual(before);
    expect(await achievementsOf(world, mentor)).toMatchObject({
      streak: { weeks: 0, is_active_this_week: false },
      certificates: [],
    });
  });
});

describe("the bell", () => {
  test("tells what was earned over time once, and not the step one has just taken", async ({
    world,
  }) => {
    const ada = await atLevel(world, 2);
    await recordWeeksAgo(world, ada, 3, 2, 1, 0);
    await finishCourse(world, ada, "Compilers");
    await finishCourse(world, ada, "Linkers");
    const sql = "select public.my_notifications() as bell";
    const bell = async () =>
      ((await world.one(ada, sql))["bell"] as { items: Row[] }).items.filter(
        ({ kind }) => kind === "achievement" || kind === "certificate",
      );
    expect(await bell()).toMatchObject([
      { kind: "certificate", excerpt: "Linkers", detail: null, actor: null },
      { kind: "certificate", excerpt: "Compilers" },
      { kind: "achievement", achievement: "Four weeks", detail: null },
    ]);
    await world.run("owner", "select private.award_achievements($1, array['weeks'])", [ada]);
    expect(await bell()).toHaveLength(3);
    await world.run(
      "owner",
      "update private.certificates set revoked_at = now(), revoked_reason = 'x' where course_title = 'Linkers' and user_id = $1",
      [ada],
    );
    expect(await bell()).toMatchObject([{ excerpt: "Compilers" }, { kind: "achievement" }]);
  });
});

describe("nobody", () => {
  test("writes or reads achievements but by what happened", async ({ world }) => {
    const ada = await world.member();
    for (const actor of [ada, "anon", "service_role"]) {
      for (const table of ["achievements", "active_weeks", "achievement_kinds"]) {
        await world.refused(actor, "42501", `select from private.${table}`);
        await world.refused(actor, "42501", `delete from private.${table}`);
      }
      await world.refused(
        actor,
        "42501",
        "insert into private.achievements (user_id, key) values ($1, 'weeks_52')",
        [ada],
      );
      await world.refused(
        actor,
        "42501",
        "insert into private.active_weeks (user_id, week) values ($1, '2020-01-06')",
        [ada],
      );
      await world.refused(actor, "42501", "select private.award_achievements($1, array['rooms'])", [
        ada,
      ]);
    }
    await world.refused("anon", "42501", "select public.my_achievements()");
    await world.refused("service_role", "42501", "select public.my_achievements()");
    expect(await earnedKeys(world, ada)).toEqual([]);
  });
});

describe("a profile", () => {
  test("shows achievements, unless the member chose otherwise", async ({ world }) => {
    const [ada, tom] = [await world.member(), await world.member()];
    await recordProgressEvent(world, ada, "room_opened", "one");
    expect((await profileOf(world, tom, ada))?.["achievements"]).toMatchObject([
      { key: "first_room", title: "First room" },
    ]);
    await world.run(ada, choose, [false]);
    expect((await profileOf(world, tom, ada))?.["achievements"]).toBeNull();
    expect((await achievementsOf(world, ada)).is_shown).toBe(false);
    // A client that knows three choices leaves the fourth as it is.
    await world.run(ada, "select public.set_profile_choices('{}', true, true)");
    expect((await profileOf(world, tom, ada))?.["achievements"]).toBeNull();
    await world.run(ada, choose, [true]);
    expect((await profileOf(world, tom, ada))?.["achievements"]).toHaveLength(1);
  });

  test("does not show how far its member is from the next, nor certificates", async ({ world }) => {
    const [ada, tom] = [await atLevel(world, 2), await world.member()];
    await finishCourse(world, ada, "A private title");
    const profile = await profileOf(world, tom, ada);
    expect(JSON.stringify(profile)).not.toContain("A private title");
    const [first = {}] = (profile?.["achievements"] ?? []) as object[];
    expect(Object.keys(first).toSorted()).toEqual(["earned_on", "key", "line", "measure", "title"]);
  });
});
