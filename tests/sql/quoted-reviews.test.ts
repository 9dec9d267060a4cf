import { expect } from "vitest";
import { atLevel, complete, enrol } from "./library-world.ts";
import { sellingMentor } from "./selling-world.ts";
import { test, type World } from "./world.ts";

const rate = "select public.rate_text($2, $3, null, $1, $4)";
const offer = "select public.course_offer($1) as offer";

/** A member by name who has completed a course that is on sale. */
async function finisher(world: World, { id, modules }: Course, name: string): Promise<string> {
  const member = await atLevel(world, 4);
  await world.run("owner", "update public.profiles set first_name = $2 where id = $1", [
    member,
    name,
  ]);
  await enrol(world, member, id);
  for (const lesson of modules) await complete(world, member, lesson);
  return member;
}

type Course = Awaited<ReturnType<typeof sellingMentor>>["course"];

async function reviewsOf(world: World, { slug }: Course): Promise<unknown> {
  const row = await world.one("service_role", offer, [slug]);
  return (row["offer"] as { reviews: unknown }).reviews;
}

test("the page of a course quotes who agreed, and nobody else", async ({ world }) => {
  const { course } = await sellingMentor(world);
  const [agreed, silent, starsOnly] = [
    await finisher(world, course, "Ada"),
    await finisher(world, course, "Ben"),
    await finisher(world, course, "Cy"),
  ];
  await world.run(silent, rate, [course.id, 5, "For the mentor alone.", false]);
  await world.run(starsOnly, rate, [course.id, 5, "  ", true]);
  // A call of before consent was asked.
  await world.run(silent, "select public.rate_text(5, 'Still private.', null, $1)", [course.id]);
  expect(await reviewsOf(world, course)).toEqual([]);
  await world.run(agreed, rate, [course.id, 2, "Too short for me.", true]);
  const quoted = [{ stars: 2, sentence: "Too short for me.", name: "Ada" }];
  expect(await reviewsOf(world, course)).toEqual(quoted);
  const own = "select public.rating_of(null, $1) #> '{own}' as own";
  expect(await world.one(agreed, own, [course.id])).toMatchObject({ own: { may_quote: true } });
  await world.refused(silent, "42501", "select private.quoted_reviews($1)", [course.id]);
  await world.refused("anon", "42501", "select private.quoted_reviews($1)", [course.id]);
  await world.run(agreed, rate, [course.id, 2, "Too short for me.", false]);
  expect(await reviewsOf(world, course)).toEqual([]);
});

test("a quote goes with its sentence, its member's account, and while they are suspended", async ({
  world,
}) => {
  const { course } = await sellingMentor(world);
  const [removed, suspended, leaving] = [
    await finisher(world, course, "Ada"),
    await finisher(world, course, "Ben"),
    await finisher(world, course, "Cy"),
  ];
  for (const member of [removed, suspended, leaving]) {
    await world.run(member, rate, [course.id, 4, "Worth an evening.", true]);
  }
  const quote = (name: string) => ({ stars: 4, sentence: "Worth an evening.", name });
  expect(await reviewsOf(world, course)).toEqual([quote("Cy"), quote("Ben"), quote("Ada")]);
  const find = "select id from private.content_ratings where user_id = $1";
  const { id } = await world.one("owner", find, [removed]);
  await world.run(await world.admin(), "select public.remove_rating_comment($1, 'Rude')", [id]);
  const ban = "update auth.users set banned_until = now() + interval '1 day' where id = $1";
  await world.run("owner", ban, [suspended]);
  expect(await reviewsOf(world, course)).toEqual([quote("Cy")]);
  await world.run("owner", "delete from auth.users where id = $1", [leaving]);
  expect(await reviewsOf(world, course)).toEqual([]);
});
