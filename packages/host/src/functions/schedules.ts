// Calls edge functions at regular intervals, on one host at a time; it stands in for pg_cron.

import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { BootError, formatIssues } from "../boot-error.ts";
import type { HostContext } from "../context.ts";
import { invokeFunction, maxRunMs } from "./invoke-function.ts";
import {
  buildFunctionEnv,
  listFunctions,
  type FunctionEnv,
  type ProjectFunction,
} from "./function-registry.ts";

const schedulesFile = z.array(
  z.object({
    function: z.string(),
    every_seconds: z
      .number()
      .int()
      .min(1)
      .max(7 * 24 * 3600),
  }),
);
/** First key of the advisory locks that keep a schedule from overlapping itself. */
const lockClass = 4_710_340;
/** Random share of the interval, so that hosts started together do not all call at once. */
const jitterShare = 0.1;
/** How long a stop waits for running calls. */
const stopTimeoutMs = 3000;

/** A function and how often it is called. */
interface Schedule {
  target: ProjectFunction;
  everyMs: number;
}

/** @throws {BootError} when the file is malformed or names a function the project does not have. */
async function readSchedules(context: HostContext, secondMs: number): Promise<Schedule[]> {
  const path = join(context.project.folder, "functions", "schedules.json");
  const text = await readFile(path, "utf8").catch(() => "[]");
  let parsed;
  try {
    parsed = schedulesFile.safeParse(JSON.parse(text));
  } catch {
    throw new BootError(`${path} is not valid JSON.`);
  }
  if (!parsed.success)
    throw new BootError(`${path} is not usable: ${formatIssues(parsed.error)[0]}`);
  const functions = listFunctions(context.project);
  return parsed.data.map((entry) => {
    const target = functions.get(entry.function);
    if (target === undefined) {
      throw new BootError(`${path} names the function ${entry.function}, which does not exist.`);
    }
    return { target, everyMs: entry.every_seconds * secondMs };
  });
}

/** Records a run, unless another host recorded one within the last 80 % of the interval. */
const claimRunSql = `insert into host.schedule_runs as runs (name, started_at) values ($1, clock_timestamp())
  on conflict (name) do update set started_at = excluded.started_at
    where runs.started_at < clock_timestamp() - make_interval(secs => $2)`;

/** Runs `work` unless another host on this database is running the same schedule or has just run it. */
async function runExclusively(
  context: HostContext,
  schedule: Schedule,
  work: () => Promise<void>,
): Promise<void> {
  const client = await context.db.jobs.connect();
  let broken: Error | undefined;
  const key = [lockClass, schedule.target.name];
  try {
    const { rows } = await client.query<{ held: boolean }>(
      "select pg_try_advisory_lock($1, hashtext($2)) as held",
      key,
    );
    if (rows[0]?.held !== true) return;
    try {
      const leastS = (schedule.everyMs / 1000) * (1 - 2 * jitterShare);
      const { rowCount } = await client.query(claimRunSql, [schedule.target.name, leastS]);
      if (rowCount === 1) await work();
    } finally {
      await client.query("select pg_advisory_unlock($1, hashtext($2))", key);
    }
  } catch (error) {
    // After an error the connection is closed, which releases the advisory lock.
    broken = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Told of each run that has ended. */
type RunListener = (
  functionName: string,
  succeeded: boolean,
  counts: Readonly<Record<string, number>>,
) => void;

const countsOfAnswer = z.record(z.string(), z.number());

/** The numbers of a function's answer, such as how many e-mails it sent; none when it says something else. */
async function readCounts(response: Response): Promise<Record<string, number>> {
  if (response.headers.get("content-type")?.startsWith("application/json") !== true) {
    await response.body?.cancel();
    return {};
  }
  const body: unknown = await response.json().catch(() => undefined);
  return countsOfAnswer.safeParse(body).data ?? {};
}

/**
 * Calls the function as hosted Supabase's pg_cron would: by POST, with the service role's key.
 * @returns whether it succeeded, and what it counted.
 */
async function callScheduled(
  context: HostContext,
  target: ProjectFunction,
  env: FunctionEnv,
): Promise<{ succeeded: boolean; counts: Readonly<Record<string, number>> }> {
  const key = context.keys.api.serviceRoleKey;
  const requestId = randomUUID();
  const startedAt = performance.now();
  const response = await invokeFunction(
    target,
    (signal) =>
      new Request(`${context.publicUrl}/${target.name}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          apikey: key,
          "content-type": "application/json",
        },
        body: "{}",
        signal,
      }),
    { env, log: context.log, requestId, maxRunMs },
  );
  const result = await readCounts(response);
  const ms = Math.round(performance.now() - startedAt);
  const line = { function: target.name, id: requestId, status: response.status, ms, result };
  if (!response.ok) context.log.error(line, "schedule failed");
  else if (Object.values(result).some((count) => count !== 0))
    context.log.info(line, "schedule ran");
  else context.log.debug(line, "schedule ran");
  return { succeeded: response.ok, counts: result };
}

/**
 * Starts the schedules of `supabase/functions/schedules.json`. The first call is made after one interval.
 * `stop` cancels pending calls and waits up to three seconds for running ones.
 * @param secondMs how long a second of an interval lasts, in milliseconds; tests shorten it
 * @throws {BootError} when the file is not usable.
 */
export async function startSchedules(
  context: HostContext,
  env: Readonly<Record<string, string>>,
  secondMs = 1000,
  onRun: RunListener = () => undefined,
): Promise<{ stop: () => Promise<void> }> {
  const functionEnv = buildFunctionEnv(env);
  const timers = new Map<Schedule, NodeJS.Timeout>();
  const running = new Set<Promise<void>>();
  let stopped = false;

  const run = async (schedule: Schedule) => {
    try {
      await runExclusively(context, schedule, async () => {
        const { succeeded, counts } = await callScheduled(context, schedule.target, functionEnv);
        onRun(schedule.target.name, succeeded, counts);
      });
    } catch (error) {
      onRun(schedule.target.name, false, {});
      context.log.error({ err: error, function: schedule.target.name }, "schedule could not run");
    }
  };
  /** The interval is from begin to begin, as pg_cron's: work that piled up is not left alone after a long run. */
  const scheduleNext = (schedule: Schedule, ranMs = 0) => {
    if (stopped) return;
    const jitter = 1 + (Math.random() * 2 - 1) * jitterShare;
    // After a call that took longer than its interval it pauses for a second.
    const pauseMs = Math.max(schedule.everyMs * jitter - ranMs, secondMs);
    const timer = setTimeout(() => {
      const startedAt = performance.now();
      const turn = run(schedule).then(() => {
        running.delete(turn);
        scheduleNext(schedule, performance.now() - startedAt);
      });
      running.add(turn);
    }, pauseMs);
    timers.set(schedule, timer);
  };
  for (const schedule of await readSchedules(context, secondMs)) scheduleNext(schedule);

  return {
    stop: async () => {
      stopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
      let giveUp: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => {
        giveUp = setTimeout(resolve, stopTimeoutMs);
      });
      await Promise.race([Promise.allSettled(running), timeout]);
      clearTimeout(giveUp);
    },
  };
}
