import type { Row, World } from "./world.ts";
import { atLevel, courseOf, enrol, shelf } from "./library-world.ts";

/** What `my_achievements` answers. */
export interface AchievementsAnswer {
  readonly earned: readonly Row[];
  readonly next: readonly Row[];
  readonly streak: { readonly weeks: number; readonly is_active_this_week: boolean };
  readonly is_shown: boolean;
  readonly certificates: readonly Row[];
  readonly shared: readonly Row[];
}

export async function achievementsOf(world: World, member: string): Promise<AchievementsAnswer> {
  const { answer } = await world.one(member, "select public.my_achievements() as answer");
  return answer as AchievementsAnswer;
}

/** The keys of a member's achievements, sorted. */
export async function earnedKeys(world: World, member: string): Promise<string[]> {
  return (await achievementsOf(world, member)).earned.map(({ key }) => String(key)).toSorted();
}

/** How far a member is in one measure, and what that is on the way to; null when all of it is earned. */
export async function nextOf(world: World, member: string, measure: string): Promise<Row | null> {
  const { next } = await achievementsOf(world, member);
  return next.find((each) => each["measure"] === measure) ?? null;
}

/** Stores one event so many weeks ago, as a trigger would have then. */
export async function recordWeeksAgo(world: World, member: string, ...weeks: readonly number[]) {
  for (const ago of weeks) {
    await world.run(
      "owner",
      `insert into private.progress_ledger (user_id, kind, reference, happened_at)
         values ($1, 'like', 'weeks-ago-' || $2::integer, now() - make_interval(weeks => $2::integer))`,
      [member, ago],
    );
  }
}

/** A member of this level who has finished a course with the calls of the app. */
export async function graduate(world: World, title = "Pricing your work") {
  const member = await atLevel(world, 2);
  return { member, course: await finishCourse(world, member, title) };
}

/** Lets a member finish a new course; answers with its id. */
export async function finishCourse(world: World, member: string, title = "Pricing your work") {
  const { id, modules } = await courseOf(world, await shelf(world, "general"), 2);
  await world.run("owner", "update public.courses set title = $2 where id = $1", [id, title]);
  await enrol(world, member, id);
  for (const each of modules) await world.run(member, completeModuleSql, [member, each]);
  return id;
}

const completeModuleSql =
  "insert into public.module_completions (user_id, module_id) values ($1, $2)";

/** The newest certificate of a member. */
export async function certificateOf(world: World, member: string) {
  const sql =
    "select id, code from private.certificates where user_id = $1 order by completed_at desc limit 1";
  return (await world.one("owner", sql, [member])) as { id: string; code: string };
}

/** A visitor as the edge functions name them. */
export const someVisitor = "a".repeat(64);

/** What the public page says about a code. */
export async function verified(world: World, code: string, visitor = someVisitor) {
  const sql = "select public.verify_certificate($1, $2) as answer";
  return (await world.one("service_role", sql, [code, visitor]))["answer"] as Row | null;
}

/** What the public page of a card says. */
export async function sharedCard(world: World, code: string, visitor = someVisitor) {
  const sql = "select public.shared_card($1, $2) as answer";
  return (await world.one("service_role", sql, [code, visitor]))["answer"] as Row | null;
}
