import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { article, atLevel, course, courseModule, enrol, shelf } from "./library-world.ts";
import { test, type Row, type World } from "./world.ts";

const mark = "select public.mark_answer_helpful($1, $2)";
const answer = "select public.answer_question($1, 'It is quiet.')";

/** An answered question of a student under an article of a mentor. */
async function answered(world: World) {
  const place = await shelf(world, "general");
  const [mentor, student] = [await world.member("mentor-access"), await atLevel(world, 2)];
  const text = await article(world, place, { author_id: mentor });
  const ask = "select public.ask_question('Why Monday?', $1) as id";
  const { id } = await world.one(student, ask, [text]);
  await world.run(mentor, answer, [id]);
  return { place, mentor, student, text, question: String(id) };
}

async function itemsFor(world: World, reader: string, text: string): Promise<Row[]> {
  const { list } = await world.one(reader, "select public.questions_of($1) as list", [text]);
  return (list as { items: Row[] }).items;
}

async function told(world: World, member: string): Promise<Row[]> {
  const { bell } = await world.one(member, "select public.my_notifications() as bell");
  return (bell as { items: Row[] }).items.filter(({ kind }) => kind === "answer_helpful");
}

describe("the mark on an answer that helped", () => {
  test("is set by who asked, shown to every reader, told once to who answered, and taken back", async ({
    world,
  }) => {
    const { mentor, student, text, question } = await answered(world);
    const reader = await atLevel(world, 2);
    expect(await itemsFor(world, student, text)).toMatchObject([
      { is_helpful: false, may_mark: true },
    ]);
    await world.run(student, mark, [question, true]);
    for (const one of [reader, mentor]) {
      expect(await itemsFor(world, one, text)).toMatchObject([
        { is_helpful: true, may_mark: false },
      ]);
    }
    const line = { kind: "answer_helpful", excerpt: "Why Monday?", question_id: question };
    expect(await told(world, mentor)).toMatchObject([{ ...line, place: { item_id: text } }]);
    for (const one of [student, reader]) expect(await told(world, one)).toEqual([]);
    // An answer that its author changes keeps it.
    await world.run(mentor, answer, [question]);
    expect(await itemsFor(world, reader, text)).toMatchObject([{ is_helpful: true }]);
    for (const taken of [false, null]) {
      await world.run(student, mark, [question, taken]);
      expect(await itemsFor(world, reader, text)).toMatchObject([{ is_helpful: false }]);
      expect(await told(world, mentor)).toEqual([]);
      for (const again of [1, 2]) await world.run(student, mark, [question, Boolean(again)]);
      expect(await told(world, mentor)).toHaveLength(1);
    }
  });

  test("goes with the answer that another replaces, and can be set on the new one", async ({
    world,
  }) => {
    const { mentor, student, text, question } = await answered(world);
    const [admin, editor] = [await world.admin(), await world.admin()];
    await world.run(student, mark, [question, true]);
    await world.run(admin, answer, [question]);
    expect(await itemsFor(world, student, text)).toMatchObject([{ is_helpful: false }]);
    expect(await told(world, mentor)).toEqual([]);
    await world.run(student, mark, [question, true]);
    expect(await told(world, admin)).toHaveLength(1);
    // Nor is there one left on an answer of one's own, which nobody could take back.
    const ask = "select public.ask_question('And Tuesday?', $1) as id";
    const { id } = await world.one(editor, ask, [text]);
    await world.run(mentor, answer, [id]);
    await world.run(editor, mark, [id, true]);
    await world.run(editor, answer, [id]);
    const own = (await itemsFor(world, editor, text)).find((item) => item["id"] === id);
    expect(own).toMatchObject({ is_helpful: false, may_mark: false });
  });

  test("is limited as likes are", async ({ world }) => {
    const { student, question } = await answered(world);
    const limit = "update private.rate_limits set max_count = 2 where action = 'like'";
    await world.run("owner", limit);
    for (const set of [true, false]) await world.run(student, mark, [question, set]);
    await world.refused(student, "FF300", mark, [question, true]);
  });

  test("is refused to everyone else", async ({ world }) => {
    const { mentor, student, text, question } = await answered(world);
    const lapsed = await atLevel(world, 2);
    await world.setSubscriptionStatus(lapsed, "canceled");
    const others = [
      mentor,
      lapsed,
      await atLevel(world, 2),
      await world.member("mentor-access"),
      await world.admin(),
      await world.newcomer(),
    ];
    for (const other of others) {
      for (const set of [true, false]) await world.refused(other, "FF725", mark, [question, set]);
    }
    for (const none of ["anon", "service_role"]) {
      await world.refused(none, "42501", mark, [question, true]);
    }
    await world.refused(student, "FF725", mark, [randomUUID(), true]);
    await world.refused(student, "FF725", mark, [null, true]);
    await world.setSubscriptionStatus(student, "canceled");
    await world.refused(student, "FF725", mark, [question, true]);
    await world.setSubscriptionStatus(student, "active");
    await world.run(student, mark, [question, true]);
    await world.run("owner", "update public.articles set is_published = false where id = $1", [
      text,
    ]);
    await world.refused(student, "FF725", mark, [question, false]);
  });

  test("needs an answer of another that is still there", async ({ world }) => {
    const { student, text, question } = await answered(world);
    const ask = "select public.ask_question('And Tuesday?', $1) as id";
    const { id: open } = await world.one(student, ask, [text]);
    await world.refused(student, "FF725", mark, [open, true]);
    const admin = await world.admin();
    const { id: own } = await world.one(admin, ask, [text]);
    await world.run(admin, answer, [own]);
    await world.refused(admin, "FF725", mark, [own, true]);
    expect(await itemsFor(world, admin, text)).toMatchObject([
      { may_mark: false },
      { may_mark: false },
      { may_mark: false },
    ]);
    await world.run(admin, "select public.remove_question($1, 'Rude')", [question]);
    await world.refused(student, "FF725", mark, [question, true]);
  });

  test("is not told across a block, nor once who answered no longer reads the text", async ({
    world,
  }) => {
    const { mentor, student, text, question } = await answered(world);
    await world.run(student, mark, [question, true]);
    await world.run("owner", "update public.articles set author_id = null where id = $1", [text]);
    await world.run("owner", "update public.user_levels set current_level = 1 where user_id = $1", [
      mentor,
    ]);
    expect(await told(world, mentor)).toEqual([]);
    const blocked = await answered(world);
    await world.run(blocked.mentor, "select public.block_member($1)", [blocked.student]);
    await world.run(blocked.student, mark, [blocked.question, true]);
    expect(await told(world, blocked.mentor)).toEqual([]);
  });

  test("is set under a lesson too, and is in the export of both", async ({ world }) => {
    const { place, mentor, student } = await answered(world);
    const whole = await course(world, place, { mentor_id: mentor });
    const lesson = await courseModule(world, whole, 1);
    await enrol(world, student, whole);
    const ask = "select public.ask_question('What?', null, $1) as id";
    const { id } = await world.one(student, ask, [lesson]);
    await world.run(mentor, answer, [id]);
    await world.run(student, mark, [id, true]);
    const sql = "select public.export_my_data() -> 'content_questions' as questions";
    for (const one of [student, mentor]) {
      expect((await world.one(one, sql))["questions"]).toContainEqual(
        expect.objectContaining({ id, helpful_at: expect.any(String) }),
      );
    }
  });
});
