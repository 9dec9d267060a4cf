import { expect } from "vitest";
import { article, shelf } from "./library-world.ts";
import { test } from "./world.ts";

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
