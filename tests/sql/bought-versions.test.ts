import { describe, expect } from "vitest";
import { payCourse, sellingMentor } from "./selling-world.ts";
import { test, type World } from "./world.ts";

const complete = "select public.complete_bought_lesson($1)";
const move = "select public.take_newest_bought_version($1)";
const enrol = "insert into public.course_enrollments (user_id, course_id) values ($1, $2)";

interface Read {
  version: number;
  enrollments: [{ progress_percentage: number; completed_at: string | null }];
  modules: { title: string; content: string; completions: unknown[] }[];
}

async function readBy(world: World, buyer: string, course: string): Promise<Read> {
  const { read } = await world.one(buyer, "select public.bought_course($1) as read", [course]);
  return read as Read;
}

const titlesOf = ({ modules }: Read) => modules.map(({ title }) => title);
const doneOf = ({ modules }: Read) =>
  modules.filter(({ completions }) => completions.length > 0).map(({ title }) => title);

/** A new version, in which “Sign It” takes the place of “Send It” and the first lesson has another text. @returns its id */
async function publishAgain(world: World, course: { id: string; modules: readonly string[] }) {
  await world.run("owner", "select private.keep_course_version($1, '[]')", [course.id]);
  await world.run("owner", "update public.course_modules set content = 'New.' where id = $1", [
    course.modules[0],
  ]);
  await world.run("owner", "update public.course_modules set is_published = false where id = $1", [
    course.modules[2],
  ]);
  const added = await world.one(
    "owner",
    `insert into public.course_modules (course_id, slug, title, content, module_order, estimated_duration)
     values ($1, 'sign-it', 'Sign It', 'How to sign.', 4, 5) returning id`,
    [course.id],
  );
  return String(added["id"]);
}

const before = ["Begin With the Reader", "One Question a Letter", "Send It"];
const after = ["Begin With the Reader", "One Question a Letter", "Sign It"];

describe("a newer version of a bought course", () => {
  test("takes nothing away: the buyer reads and completes the one bought", async ({ world }) => {
    const { course } = await sellingMentor(world);
    const buyer = await world.newcomer();
    await payCourse(world, buyer, course);
    await world.run(buyer, complete, [course.modules[0]]);
    await publishAgain(world, course);
    const read = await readBy(world, buyer, course.id);
    expect(titlesOf(read)).toEqual(before);
    expect(read.modules[0]?.content).toBe("Text of “Begin With the Reader”.");
    expect(read).toMatchObject({ version: 2, enrollments: [{ course_version: 1 }] });
    await world.run(buyer, complete, [course.modules[2]]);
    const { mine } = await world.one(buyer, "select public.my_courses() as mine");
    expect(mine).toMatchObject([{ lessons: 3, completed: 2 }]);
    // Once it is completed there is nothing to lose, and the newest one is shown.
    await world.run(buyer, complete, [course.modules[1]]);
    const whole = await readBy(world, buyer, course.id);
    expect(titlesOf(whole)).toEqual(after);
    expect(whole.enrollments[0]).toMatchObject({ progress_percentage: 100 });
    expect(whole.enrollments[0].completed_at).not.toBeNull();
  });

  test("is taken by choice, by its buyer alone", async ({ world }) => {
    const { course } = await sellingMentor(world);
    const [buyer, other] = [await world.newcomer(), await world.newcomer()];
    for (const each of [buyer, other]) await payCourse(world, each, course);
    await world.run(buyer, complete, [course.modules[0]]);
    const added = await publishAgain(world, course);
    await world.refused(await world.newcomer(), "FF856", move, [course.id]);
    await world.refused("anon", "42501", move, [course.id]);
    await world.run(buyer, move, [course.id]);
    expect(titlesOf(await readBy(world, buyer, course.id))).toEqual(after);
    expect(titlesOf(await readBy(world, other, course.id))).toEqual(before);
    await world.run(buyer, complete, [added]);
    expect(doneOf(await readBy(world, buyer, course.id))).toEqual([before[0], "Sign It"]);
    await world.refused(buyer, "FF856", complete, [course.modules[2]]);
    // Who buys now buys the newest.
    const late = await world.newcomer();
    await payCourse(world, late, course);
    expect(titlesOf(await readBy(world, late, course.id))).toEqual(after);
    await world.refused(late, "FF856", complete, [course.modules[2]]);
  });
});

describe("what was completed", () => {
  test("as a member is completed for the buyer, and the other way round", async ({ world }) => {
    const { course } = await sellingMentor(world);
    const ada = await world.newcomer();
    await world.run("owner", enrol, [ada, course.id]);
    await world.run(
      "owner",
      "insert into public.module_completions (user_id, module_id) values ($1, $2)",
      [ada, course.modules[0]],
    );
    await payCourse(world, ada, course);
    expect(doneOf(await readBy(world, ada, course.id))).toEqual([before[0]]);
    await world.run(ada, complete, [course.modules[1]]);
    expect(doneOf(await readBy(world, ada, course.id))).toEqual(before.slice(0, 2));
    const row = "select progress_percentage from public.course_enrollments where user_id = $1";
    expect(await world.run("owner", row, [ada])).toEqual([{ progress_percentage: 67 }]);
    const buyer = await world.newcomer();
    await payCourse(world, buyer, course);
    await world.run(buyer, complete, [course.modules[1]]);
    const completions = "select from public.module_completions where user_id = $1";
    expect(await world.run("owner", completions, [buyer])).toEqual([]);
  });
});
