import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Category } from "../../web/src/domain/categories.ts";
import { overallCompletion } from "../../web/src/domain/level-progress.ts";
import { toLevelRequirements } from "../../web/src/domain/level-requirements.ts";
import type { Account } from "../support/clients.ts";
import { member, owner } from "./members.ts";
import { postMessage } from "./rooms.ts";

/** Resets the rate limits of this account only, so that the test needs no waiting. */
async function rest(account: Account): Promise<void> {
  await owner.query("delete from private.rate_usage where user_id = $1", [account.id]);
}

function check({ error }: { error: { code: string; message: string } | null }): void {
  if (error) throw new Error(`${error.code}: ${error.message}`);
}

interface Progress {
  current_level: number;
  chat_rooms_opened: string[];
  learning_submissions: number;
  message_engagements: number;
  articles_read_by_category: Record<Category, string[]>;
  courses_completed_by_category: Record<Category, string[]>;
}

async function progressOf({ client, id }: Account): Promise<Progress> {
  const answer = await client
    .from("user_progress")
    .select("*")
    .eq("user_id", id)
    .single<Progress>();
  check(answer);
  if (!answer.data) throw new Error("no progress");
  return answer.data;
}

async function levelOf(account: Account): Promise<number> {
  return Number((await account.client.rpc("effective_level")).data);
}

/** Sends messages until the member has this many engagements. */
async function talk(account: Account, until: number): Promise<void> {
  let { message_engagements } = await progressOf(account);
  while (message_engagements < until) {
    if (message_engagements % 50 === 0) await rest(account);
    await postMessage(account, `Word ${message_engagements}`);
    message_engagements += 1;
  }
}

interface Item {
  id: string;
}

/** Published articles or courses of a category that are new to the member. */
async function items(
  { client, id }: Account,
  category: Category,
  table: "articles" | "courses",
  count: number,
): Promise<Item[]> {
  const done = table === "articles" ? "article_reads" : "course_enrollments";
  const { data, error } = await client
    .from(table)
    .select(`id, subcategories!inner(main_category), done:${done}(user_id)`)
    .eq("subcategories.main_category", category)
    .eq("is_published", true)
    .eq("done.user_id", id)
    .is("done", null)
    .order("id")
    .limit(count);
  check({ error });
  expect(data, `${table} of ${category}`).toHaveLength(count);
  return data as unknown as Item[];
}

async function readArticles(account: Account, category: Category, count: number): Promise<void> {
  const { client, id } = account;
  await rest(account);
  for (const article of await items(account, category, "articles", count)) {
    check(await client.from("articles").update({ read_count: 1 }).eq("id", article.id));
    check(await client.from("article_reads").insert({ user_id: id, article_id: article.id }));
  }
}

async function takeCourses(account: Account, category: Category, count: number): Promise<void> {
  const { client, id } = account;
  for (const course of await items(account, category, "courses", count)) {
    check(await client.from("course_enrollments").insert({ user_id: id, course_id: course.id }));
    const modules = await client
      .from("course_modules")
      .select("id")
      .eq("course_id", course.id)
      .order("module_order");
    check(modules);
    for (const module of modules.data ?? []) {
      const row = { user_id: id, module_id: String(module.id) };
      check(await client.from("module_completions").insert(row));
    }
  }
}

/** Completes all items of a level but one, expects the same level, then completes the last one. */
async function climbShelf(
  account: Account,
  category: Category,
  engagements: number,
  level: number,
) {
  await talk(account, engagements - (level === 4 ? 1 : 0));
  await readArticles(account, category, level === 2 ? 24 : 25);
  await takeCourses(account, category, level === 3 ? 4 : 5);
  expect(await levelOf(account)).toBe(level);
  const completed = async () => {
    const { data } = await account.client.from("level_completions").select("level");
    return (data ?? []).map((row) => Number(row.level));
  };
  expect(await completed()).not.toContain(level);
  if (level === 2) await readArticles(account, category, 1);
  if (level === 3) await takeCourses(account, category, 1);
  if (level === 4) await talk(account, engagements);
  expect(await completed()).toContain(level);
  expect(await levelOf(account)).toBe(Math.min(4, level + 1));
}

test("a new member completes all levels by messages, articles and courses, and not with one fewer", async () => {
  const account = await member();
  const { client, id } = account;
  const rooms = ["general", "accountability", "motivation", "productivity", "success"];
  for (const room_id of rooms) check(await client.rpc("increment_participant_count", { room_id }));
  for (let n = 1; n <= 3; n += 1) {
    const row = { id: randomUUID(), user_id: id, submission_type: "success", title: `Step ${n}` };
    check(await client.from("learning_submissions").insert({ ...row, content: "It went well." }));
  }
  await talk(account, 49);
  expect(await levelOf(account)).toBe(1);
  await talk(account, 50);
  expect(await levelOf(account)).toBe(2);
  await climbShelf(account, "general", 150, 2);
  await climbShelf(account, "business", 350, 3);
  await climbShelf(account, "wealth", 550, 4);

  const progress = await progressOf(account);
  const lengths = (lists: Record<Category, string[]>) => ({
    general: lists.general.length,
    business: lists.business.length,
    wealth: lists.wealth.length,
  });
  const counters = {
    chatRoomsOpened: progress.chat_rooms_opened.length,
    learningSubmissions: progress.learning_submissions,
    messageEngagements: progress.message_engagements,
    articlesRead: lengths(progress.articles_read_by_category),
    coursesCompleted: lengths(progress.courses_completed_by_category),
  };
  expect(counters).toMatchObject({
    messageEngagements: 550,
    articlesRead: { general: 25, business: 25, wealth: 25 },
    coursesCompleted: { general: 5, business: 5, wealth: 5 },
  });
  const requirements = await client
    .from("level_requirements")
    .select("level, kind, category, needed");
  const overall = overallCompletion(toLevelRequirements(requirements.data), counters);
  expect(overall).toEqual({ done: 648, total: 648, percent: 100 });
});
