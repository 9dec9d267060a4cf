import { expect } from "vitest";
import { article, atLevel, course, courseModule, enrol, shelf } from "./library-world.ts";
import { test, type Row, type World } from "./world.ts";

test("an author below the level of a section reads the own text there, and nobody else below it does", async ({
  world,
}) => {
  const [author, mentor] = [await world.member(), await world.member()];
  for (const each of [author, mentor]) {
    await world.run("owner", "update public.profiles set role = 'mentor' where id = $1", [each]);
  }
  const id = await article(world, await shelf(world, "business"), { author_id: author });
  const read = "select id from public.articles where id = $1";
  expect(await world.run(author, read, [id])).toEqual([{ id }]);
  expect(await world.run(mentor, read, [id])).toEqual([]);
  const ask = "select public.questions_of(article_id => $1) as list";
  expect(await world.one(author, ask, [id])).toMatchObject({ list: { may_answer: true } });
  await world.refused(mentor, "FF720", ask, [id]);
});

const waitingIds = async (world: World, reader: string) => {
  const { list } = await world.one(reader, "select public.waiting_questions() as list");
  return (list as Row[]).map(({ id }) => id);
};

test("a mentor opens the text each waiting question is about, and once it is answered or taken back it is theirs still", async ({
  world,
}) => {
  const mentor = await world.member("mentor-access");
  const other = await world.member("mentor-access");
  const student = await atLevel(world, 4);
  const place = await shelf(world, "wealth");
  const text = await article(world, place, { author_id: mentor });
  const taught = await course(world, place, { mentor_id: mentor });
  const lesson = await courseModule(world, taught, 1);
  await enrol(world, student, taught);
  const read = `select a.id from public.articles a join public.subcategories s on s.id = a.subcategory_id where a.id = $1
    union all select m.id from public.course_modules m join public.courses c on c.id = m.course_id
      join public.subcategories s on s.id = c.subcategory_id where m.id = $2`;
  const opens = async (reader: string) =>
    (await world.run(reader, read, [text, lesson])).map(({ id }) => id);
  const ask = "select public.ask_question($1, $2, $3) as id";
  const first = (await world.one(student, ask, ["Why?", text, null]))["id"];
  const second = (await world.one(student, ask, ["How?", null, lesson]))["id"];
  expect(new Set(await waitingIds(world, mentor))).toEqual(new Set([first, second]));
  expect(await opens(mentor)).toEqual([text, lesson]);
  // Neither author nor asked: a question opens nothing to other mentors.
  expect(await waitingIds(world, other)).toEqual([]);
  expect(await opens(other)).toEqual([]);
  await world.refused(other, "FF723", "select public.answer_question($1, 'So.')", [first]);
  await world.run(mentor, "select public.answer_question($1, 'So.')", [first]);
  await world.run(student, "select public.delete_question($1)", [second]);
  expect(await waitingIds(world, mentor)).toEqual([]);
  expect(await opens(mentor)).toEqual([text, lesson]);
  expect(await opens(other)).toEqual([]);
});

test("the question goes with the text to another mentor, who opens it; the one before is locked again", async ({
  world,
}) => {
  const [before, after] = [
    await world.member("mentor-access"),
    await world.member("mentor-access"),
  ];
  const text = await article(world, await shelf(world, "wealth"), { author_id: before });
  const student = await atLevel(world, 4);
  const ask = "select public.ask_question($1, $2) as id";
  const { id } = await world.one(student, ask, ["Why?", text]);
  await world.run("owner", "update public.articles set author_id = $2 where id = $1", [
    text,
    after,
  ]);
  const read = "select id from public.articles where id = $1";
  expect(await waitingIds(world, after)).toEqual([id]);
  expect(await world.run(after, read, [text])).toEqual([{ id: text }]);
  expect(await waitingIds(world, before)).toEqual([]);
  expect(await world.run(before, read, [text])).toEqual([]);
  await world.refused(before, "FF723", "select public.answer_question($1, 'So.')", [id]);
  await world.run(after, "select public.answer_question($1, 'So.')", [id]);
});
