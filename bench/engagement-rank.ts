import { fileURLToPath } from "node:url";
import pg from "pg";
import { startFixtureHost } from "../tests/support/start-fixture-host.ts";
import type { Finding } from "./rest-read.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const memberCount = 1_000_000;
const sampleSize = 1000;
/** Limit for the median time of one rank inside the database, in milliseconds. */
export const maxRankMs = 0.5;

/**
 * A million members, most with few engagements and some with thousands. Accounts and triggers are left out, because
 * the insert is not measured. The histogram is then counted as a migration would do it.
 */
const fillSql = `
  set session_replication_role = replica;
  insert into public.user_progress (user_id, message_engagements)
    select gen_random_uuid(), floor(exp(random() * 9.5) - 1)::integer from generate_series(1, ${memberCount});
  set session_replication_role = origin;
  insert into private.engagement_histogram (bucket, members)
    select private.engagement_bucket(message_engagements), count(*) from public.user_progress group by 1;
  vacuum analyze public.user_progress;
  vacuum analyze private.engagement_histogram`;

/** The exact percentiles of the members in the sample, and the share of all members in their bucket. */
const exactSql = `
  create table public.bench_sample as
  with ranked as (
    select user_id, 100.0 * (rank() over (order by message_engagements) - 1) / count(*) over () as percentile,
      100.0 * count(*) over (partition by private.engagement_bucket(message_engagements)) / count(*) over () as bucket
    from public.user_progress
  )
  select * from ranked order by user_id limit ${sampleSize}`;

/** Measures the rank of each member in the sample with the server's clock. */
const measureSql = `
  create function pg_temp.measure() returns table (ms double precision, difference numeric, bucket numeric)
    language plpgsql as $$
  declare
    member record;
    rank record;
    started timestamptz;
  begin
    for member in select * from public.bench_sample loop
      perform set_config('request.jwt.claims', json_build_object('sub', member.user_id)::text, true);
      started := clock_timestamp();
      select * into rank from public.engagement_rank();
      ms := 1000 * extract(epoch from clock_timestamp() - started);
      difference := member.percentile - rank.percentile;
      bucket := member.bucket;
      return next;
    end loop;
  end
  $$`;

interface Measured {
  median: number;
  /** Members whose figure is off by more than their bucket holds, or above the exact one. */
  wrong: number;
}

/** One member's engagement rank among a million, compared with counting all members in the same run. */
export async function benchEngagementRank(): Promise<Finding> {
  const { running, stop } = await startFixtureHost({}, root);
  const owner = new pg.Client({ connectionString: running.databaseUrl });
  try {
    await owner.connect();
    for (const statement of fillSql.split(";")) await owner.query(statement);
    await owner.query(exactSql);
    await owner.query(measureSql);
    // Hundredths of a per cent are cut off, which is not an error.
    const summary = `select percentile_cont(0.5) within group (order by ms) as median,
        count(*) filter (where difference < 0 or difference > bucket + 0.01)::int as wrong
      from pg_temp.measure()`;
    await owner.query(summary);
    const { rows } = await owner.query<Measured>(summary);
    const { median = Infinity, wrong = sampleSize } = rows[0] ?? {};
    const startedAt = performance.now();
    await owner.query(
      "select count(*) filter (where message_engagements < 50), count(*) from public.user_progress",
    );
    const counting = performance.now() - startedAt;
    return {
      title: "engagement rank of one among a million",
      figures: `${median.toFixed(3)} ms in the database (limit ${maxRankMs}), counting all members ${counting.toFixed(0)} ms, ${wrong} of ${sampleSize} off by more than a bucket`,
      holds: median <= maxRankMs && wrong === 0,
    };
  } finally {
    await owner.end();
    await stop();
  }
}
