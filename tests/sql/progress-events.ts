import { expect } from "vitest";
import type { Row, World } from "./world.ts";

/** Records a progress event as a trigger would. @returns whether it was new. */
export async function recordProgressEvent(
  world: World,
  user: string,
  kind: string,
  reference: string,
  category: string | null = null,
): Promise<boolean> {
  const sql = "select private.record_progress_event($1, $2, $3, $4) as is_new";
  return (await world.one("owner", sql, [user, kind, reference, category]))["is_new"] === true;
}

/** Records `count` progress events of one kind, numbered from `from` on. */
export async function recordProgressEvents(
  world: World,
  user: string,
  kind: string,
  count: number,
  category: string | null = null,
  from = 1,
): Promise<void> {
  await world.run(
    "owner",
    `select private.record_progress_event($1, $2, concat_ws(' ', $2::text, $4::text, n), $4)
       from generate_series($5::int, $5::int + $3::int - 1) n`,
    [user, kind, count, category, from],
  );
}

/** The member's row of counters. */
export async function userProgressOf(world: World, user: string): Promise<Row> {
  return await world.one("owner", "select * from public.user_progress where user_id = $1", [user]);
}

/** All that members have done and reached: their events, counters and levels. */
export async function progressOfMembers(world: World, users: readonly string[]): Promise<Row[]> {
  return await world.run(
    "owner",
    `select to_jsonb(g) as progress, to_jsonb(l) as level,
       (select array_agg(e.id order by e.id) from private.progress_ledger e where e.user_id = l.user_id) as events
     from public.user_levels l left join public.user_progress g using (user_id)
     where l.user_id = any ($1) order by l.user_id`,
    [users],
  );
}

/** Level reached, what it unlocked, and which levels were completed. */
export async function levelOf(world: World, user: string): Promise<Row> {
  return await world.one(
    "owner",
    `select l.current_level as level, l.unlocked_levels as unlocked, coalesce(g.current_level, l.current_level) as mirrored,
       (select array_agg(c.level order by c.level) from public.level_completions c where c.user_id = l.user_id) as completed
     from public.user_levels l left join public.user_progress g using (user_id) where l.user_id = $1`,
    [user],
  );
}

export async function expectLevel(world: World, user: string, level: number): Promise<void> {
  const unlocked = Array.from({ length: level + 1 }, (_, i) => i);
  expect(await levelOf(world, user)).toMatchObject({ level, unlocked, mirrored: level });
}

/**
 * Updates the histogram now instead of at the end of the transaction. Takes the lock first, so that concurrent
 * tests wait instead of deadlocking.
 */
export async function settleHistogram(world: World): Promise<void> {
  const lock = "lock table private.engagement_histogram in share row exclusive mode";
  await world.run("owner", lock);
  await world.run("owner", "set constraints all immediate");
  await world.run("owner", "set constraints all deferred");
}
