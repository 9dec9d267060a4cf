import { describe, expect } from "vitest";
import { article, atLevel, course, courseModule, enrol, shelf } from "./library-world.ts";
import { test, type Row, type World } from "./world.ts";

const ask = "select public.ask_question($2, $1) as id";
const askLesson = "select public.ask_question($2, null, $1) as id";
const answer = "select public.answer_question($1, $2)";
const remove = "select public.remove_question($1, 'Rude')";
const deleteOwn = "select public.delete_question($1)";
const listed = "select public.questions_of($1) as list";

interface QuestionList {
  readonly may_ask: boolean;
  readonly may_answer: boolean;
  readonly may_remove: boolean;
  readonly items: readonly Row[];
}

async function listOf(world: World, reader: string, text: string): Promise<QuestionList> {
  return (await world.one(reader, listed, [text]))["list"] as QuestionList;
}

async function told(world: World, member: string): Promise<Row[]> {
  const { bell } = await world.one(member, "select public.my_notifications() as bell");
  const { items } = bell as { items: Row[] };
  return items.filter(({ kind }) => kind === "question" || kind === "answer");
}

/** An article of a mentor, with a student who may read it. */
async function written(world: World) {
  const place = await shelf(world, "general");
  const mentor = await world.member("mentor-access");
  const text = await article(world, place, { author_id: mentor });
  return { place, mentor, text, student: await atLevel(world, 2) };
}

async function asked(world: World, student: string, text: string): Promise<string> {
  return String((await world.one(student, ask, [text, " Why Monday? "]))["id"]);
}

describe("a question under an article", () => {
  test("is told to its mentor, answered, and the answer told to who asked", async ({ world }) => {
    const { mentor, text, student } = await written(world);
    const question = await asked(world, student, text);
    expect(await told(world, mentor)).toMatchObject([
      {
        kind: "question",
        excerpt: "Why Monday?",
        place: { category: "general", shelf: "articles", item_id: text, title: "An article" },
        question_id: question,
      },
    ]);
    expect(await told(world, student)).toEqual([]);
    expect(await listOf(world, mentor, text)).toMatchObject({ may_ask: false, may_answer: true });
    await world.run(mentor, answer, [question, "It is quiet."]);
    await world.run(mentor, answer, [question, "It is quiet then."]);
    expect(await told(world, student)).toMatchObject([
      { kind: "answer", excerpt: "It is quiet then.", question_id: question },
    ]);
    expect(await listOf(world, await atLevel(world, 2), text)).toMatchObject({
      may_ask: true,
      may_answer: false,
      may_remove: false,
      items: [{ question: "Why Monday?", answer: "It is quiet then.", is_own: false }],
    });
  });

  test("of the house, or of a mentor who no longer pays, goes to administrators", async ({
    world,
  }) => {
    const { place, mentor, text, student } = await written(world);
    const admin = await world.admin();
    await asked(world, student, text);
    expect(await told(world, admin)).toEqual([]);
    await world.setSubscriptionStatus(mentor, "canceled");
    const late = await asked(world, student, text);
    await world.refused(mentor, "FF723", answer, [late, "Still here"]);
    const house = await article(world, place);
    const question = await asked(world, student, house);
    expect(await told(world, admin)).toHaveLength(2);
    await world.run(admin, answer, [question, "Because."]);
    expect(await told(world, student)).toMatchObject([{ kind: "answer" }]);
  });

  test("is closed to all who may not read the text", async ({ world }) => {
    const { mentor, place, text, student } = await written(world);
    const question = await asked(world, student, text);
    const lapsed = await atLevel(world, 2);
    await world.setSubscriptionStatus(lapsed, "canceled");
    const hidden = await article(world, place, { is_published: false });
    for (const outsider of [await world.newcomer(), await world.member(), lapsed]) {
      await world.refused(outsider, "FF720", ask, [text, "May I?"]);
      await world.refused(outsider, "FF720", listed, [text]);
      await world.refused(outsider, "FF723", answer, [question, "Forged"]);
    }
    await world.refused(student, "FF720", ask, [hidden, "May I?"]);
    await world.refused(student, "FF720", listed, [hidden]);
    await world.refused(student, "FF720", ask, [null, "May I?"]);
    await world.refused(mentor, "FF722", ask, [text, "My own?"]);
    for (const sql of [ask, answer]) await world.refused("anon", "42501", sql, [text, "No"]);
    for (const sql of [listed, remove, deleteOwn])
      await world.refused("anon", "42501", sql, [text]);
    for (const actor of ["anon", student, mentor]) {
      await world.refused(actor, "42501", "select * from private.content_questions");
    }
    const other = await world.member("mentor-access");
    for (const actor of [student, other]) {
      await world.refused(actor, "FF723", answer, [question, "Forged"]);
    }
  });

  test("is hidden in the bell from a student who lost the level", async ({ world }) => {
    const { mentor, text, student } = await written(world);
    await world.run(mentor, answer, [await asked(world, student, text), "Yes."]);
    expect(await told(world, student)).toHaveLength(1);
    await world.run("owner", "update public.user_levels set current_level = 1 where user_id = $1", [
      student,
    ]);
    expect(await told(world, student)).toEqual([]);
  });

  test("is deleted by its author alone, and removed by administrators with a record", async ({
    world,
  }) => {
    const { mentor, text, student } = await written(world);
    const question = await asked(world, student, text);
    const second = await asked(world, student, text);
    for (const actor of [mentor, await atLevel(world, 2)]) {
      await world.run(actor, deleteOwn, [question]);
      await world.refused(actor, "FF002", remove, [question]);
    }
    expect((await listOf(world, mentor, text)).items).toHaveLength(2);
    await world.run(student, deleteOwn, [question]);
    await world.refused(await world.plainAdmin(), "FF005", remove, [second]);
    const admin = await world.admin();
    await world.run(admin, remove, [second]);
    await world.refused(admin, "FF724", remove, [second]);
    expect((await listOf(world, mentor, text)).items).toEqual([]);
    expect(await told(world, mentor)).toEqual([]);
    const log = "select action, subject, detail from private.audit_log where actor = $1";
    expect(await world.run("owner", log, [admin])).toMatchObject([
      {
        action: "question.removed",
        subject: student,
        detail: { question_id: second, before: "open", after: "removed" },
      },
    ]);
  });

  test("has a length and a rate", async ({ world }) => {
    const { mentor, text, student } = await written(world);
    for (const words of ["", " \u200b ", "a".repeat(1001), null]) {
      await world.refused(student, "FF721", ask, [text, words]);
    }
    const question = await asked(world, student, text);
    await world.refused(mentor, "FF721", answer, [question, "a".repeat(4001)]);
    await world.run(
      "owner",
      "update private.rate_limits set max_count = 1 where action = any ($1)",
      [["ask", "answer"]],
    );
    await world.refused(student, "FF300", ask, [text, "Again?"]);
    await world.run(mentor, answer, [question, "Yes."]);
    await world.refused(mentor, "FF300", answer, [question, "No."]);
  });

  test("is not shown, told or answered across a block", async ({ world }) => {
    const { mentor, text, student } = await written(world);
    const earlier = await asked(world, student, text);
    await world.run(student, "select public.block_member($1)", [mentor]);
    await world.refused(mentor, "FF723", answer, [earlier, "You, again?"]);
    await world.run(await world.admin(), answer, [earlier, "Because it is quiet."]);
    await world.run(student, "select public.unblock_member($1)", [mentor]);
    await world.run(mentor, "select public.block_member($1)", [student]);
    await asked(world, student, text);
    expect(await told(world, mentor)).toEqual([]);
    expect((await listOf(world, mentor, text)).items).toEqual([]);
    expect((await listOf(world, student, text)).items).toHaveLength(2);
  });
});

describe("a question under a lesson", () => {
  test("is for who is enrolled, and goes to the course's mentor", async ({ world }) => {
    const { place, mentor, student } = await written(world);
    const whole = await course(world, place, { mentor_id: mentor });
    const lesson = await courseModule(world, whole, 1);
    await world.refused(student, "FF720", askLesson, [lesson, "What is this?"]);
    await enrol(world, student, whole);
    const { id } = await world.one(student, askLesson, [lesson, "What is this?"]);
    expect(await told(world, mentor)).toMatchObject([
      { place: { shelf: "courses", item_id: whole, title: "Module 1" } },
    ]);
    await world.run(mentor, answer, [id, "A lesson."]);
    const read = "select public.questions_of(null, $1) as list";
    expect((await world.one(student, read, [lesson]))["list"]).toMatchObject({
      items: [{ answer: "A lesson.", is_own: true }],
    });
    await world.run(
      "owner",
      "update public.course_modules set is_published = false where id = $1",
      [lesson],
    );
    await world.refused(student, "FF720", read, [lesson]);
    expect(await told(world, student)).toEqual([]);
  });
});

describe("a question under what is open to all mentors", () => {
  test("is asked and read by mentors at any level, and by no student below it", async ({
    world,
  }) => {
    const place = await shelf(world, "wealth", { open_to_mentors: true });
    const author = await world.member("mentor-access");
    const text = await article(world, place, { author_id: author });
    const whole = await course(world, place, { mentor_id: author });
    const lesson = await courseModule(world, whole, 1);
    const lessonQuestions = "select public.questions_of(null, $1) as list";
    const [mentor, student] = [await world.member("mentor-access"), await world.member()];
    // However a student came to be enrolled, the lesson stays closed.
    for (const one of [mentor, student]) {
      const enrolled = "insert into public.course_enrollments (user_id, course_id) values ($1, $2)";
      await world.run("owner", enrolled, [one, whole]);
    }
    await asked(world, mentor, text);
    const { id } = await world.one(mentor, askLesson, [lesson, "Why this?"]);
    await world.run(author, answer, [id, "To teach."]);
    expect((await listOf(world, mentor, text)).items).toHaveLength(1);
    expect(await told(world, mentor)).toMatchObject([{ kind: "answer" }]);
    await world.setSubscriptionStatus(mentor, "canceled");
    for (const outsider of [student, mentor]) {
      await world.refused(outsider, "FF720", ask, [text, "May I?"]);
      await world.refused(outsider, "FF720", askLesson, [lesson, "May I?"]);
      await world.refused(outsider, "FF720", listed, [text]);
      await world.refused(outsider, "FF720", lessonQuestions, [lesson]);
    }
    expect(await told(world, mentor)).toEqual([]);
  });

  test("is not asked by mentors elsewhere above their level", async ({ world }) => {
    const text = await article(world, await shelf(world, "wealth"));
    await world.refused(await world.member("mentor-access"), "FF720", ask, [text, "May I?"]);
  });
});

describe("the questions that wait", () => {
  test("are those under one's own texts, all of them for administrators", async ({ world }) => {
    const waiting = "select public.waiting_questions() as list";
    const { mentor, text, student } = await written(world);
    const question = await asked(world, student, text);
    const listFor = async (reader: string) =>
      ((await world.one(reader, waiting))["list"] as Row[]).map(({ id }) => id);
    expect(await listFor(mentor)).toEqual([question]);
    expect(await listFor(await world.member("mentor-access"))).toEqual([]);
    const admin = await world.admin();
    expect(await listFor(admin)).toContain(question);
    for (const outsider of [student, await world.newcomer()]) {
      await world.refused(outsider, "FF650", waiting);
    }
    await world.refused("anon", "42501", waiting);
    await world.run(mentor, answer, [question, "Yes."]);
    expect(await listFor(mentor)).toEqual([]);
    expect(await listFor(admin)).not.toContain(question);
  });
});
