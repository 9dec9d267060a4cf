import { type World } from "./world.ts";

export const baselineSql = "select public.record_guarantee_baseline($1, $2)";
export const checkIn = "select public.record_guarantee_check_in($1)";
export const mine = "select public.my_guarantee() as record";

/** What `my_guarantee` answers. */
export interface GuaranteeAnswer {
  is_baseline_open: boolean;
  baseline: { monthly_pence: number; target_pence: number; month: number } | null;
  check_ins: { month: number; monthly_pence: number }[];
  lines: { line: string; needed: number; held: number; met: boolean }[];
}

/** The caller's record. */
export async function recordOf(world: World, member: string): Promise<GuaranteeAnswer> {
  return (await world.one(member, mine))["record"] as GuaranteeAnswer;
}

/** A member with a membership period, which begins when the transaction that pays ends. */
export async function joiner(world: World): Promise<string> {
  const member = await world.member();
  await world.run("owner", "set constraints all immediate");
  await world.run("owner", "set constraints all deferred");
  return member;
}

/** A member who has written down where they start: £1,500 a month. */
export async function starter(world: World): Promise<string> {
  const member = await joiner(world);
  await world.run(member, baselineSql, [150_000, "Salary"]);
  return member;
}

/** Moves the start of a record into the past, as if that time had gone by. */
export async function letPass(world: World, member: string, time: string): Promise<void> {
  const sql =
    "update private.guarantee_baselines set started_at = now() - $2::interval where user_id = $1";
  await world.run("owner", sql, [member, time]);
  await letJoinedPass(world, member, time);
}

/** The first moment of the day in London that was so many days ago. */
export const dayAgo = (days: number) =>
  `(date_trunc('day', now() at time zone 'Europe/London') - interval '${days} days') at time zone 'Europe/London'`;

/** Moves the beginning of a membership, and the opening of the records, into the past. */
export async function letJoinedPass(world: World, member: string, time: string): Promise<void> {
  await world.run(
    "owner",
    "update private.guarantee_terms set opened_at = now() - interval '1 year'",
  );
  await world.run(
    "owner",
    "update private.membership_periods set started_at = least(ended_at, now() - $2::interval) where user_id = $1",
    [member, time],
  );
}

/** Progress events of a kind, so many, each at the same time before now. */
export async function work(world: World, member: string, kind: string, count: number, ago: string) {
  await world.run(
    "owner",
    `insert into private.progress_ledger (user_id, kind, category, reference, happened_at)
     select $1, $2, case when $2 = 'article_read' then 'general' end, gen_random_uuid()::text, now() - $4::interval
     from generate_series(1, $3)`,
    [member, kind, count, ago],
  );
}

/** A member whose six months are over ten days ago, with so many check-ins at £1,500 and all other work done. */
export async function finisher(world: World, checkIns = 6): Promise<string> {
  const member = await starter(world);
  for (let month = 0; month < checkIns; month++) {
    await letPass(world, member, `${month} months 1 hour`);
    await world.run(member, checkIn, [150_000]);
  }
  await letPass(world, member, "6 months 10 days");
  await work(world, member, "submission", 12, "1 month");
  await work(world, member, "message", 150, "2 months");
  await work(world, member, "article_read", 12, "3 months");
  return member;
}
