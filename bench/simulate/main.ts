// `npm run simulate [-- --members N]`: lets members live a day on a new install of this machine, and prints what it cost and what
// installs of other sizes would have to carry. docs/scale.md has its figures.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createClient } from "@supabase/supabase-js";
import pg from "pg";
import { spawnBound } from "../../tests/support/spawn-product.ts";
import type { RunningHost } from "../../tests/support/running.ts";
import { finishOnboarding, payForPlan } from "../../tools/demo/join.ts";
import { liveDay, type SimulatedMember } from "./member-day.ts";
import { loadOf, type Load, type MeasuredDay } from "./model.ts";
import { processMs, serverMs } from "./processor-time.ts";

const { values } = parseArgs({ options: { members: { type: "string", default: "40" } } });
const memberCount = Number(values.members);
if (!Number.isInteger(memberCount) || memberCount < 5 || memberCount > 2000) {
  process.stderr.write("--members is a whole number from 5 to 2000\n");
  process.exit(1);
}

/** So many members act at the same time. */
const concurrency = 8;
/** Of members whose day only fills caches. */
const warmUpCount = 5;
const sizes = [1000, 10_000, 100_000, 1_000_000];
const auth = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false };

async function joinProduct({ url, anonKey }: RunningHost): Promise<SimulatedMember> {
  const client = createClient(url, anonKey, { auth });
  const { data, error } = await client.auth.signUp({
    email: `${randomUUID()}@example.com`,
    password: "Correct-Horse-42!",
  });
  if (error) throw error;
  const id = data.user?.id ?? "";
  await client.from("profiles").insert({ id, onboarding_complete: false, role: "student" });
  await payForPlan(client, "student-access");
  await finishOnboarding(client, id, {
    firstName: "Amara",
    lastName: "Whitfield",
    occupation: "Optician",
    bio: "",
  });
  return { id, client };
}

/** Does `work` with each item, some side by side, and adds up what it returns. */
async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<number>): Promise<number> {
  const waiting = items.values();
  let sum = 0;
  // One list for all: each takes the next that nobody has taken.
  const next = async () => {
    for (const item of waiting) {
      const done = await work(item);
      sum += done;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, next));
  return sum;
}

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
const size = (bytes: number) =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(0)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;

function lineOf(load: Load): string {
  return [
    load.members.toLocaleString("en-GB").padStart(9),
    load.requestsPerSecondAtPeak.toFixed(1).padStart(10),
    load.hostCores.toFixed(2).padStart(10),
    load.postgresCores.toFixed(2).padStart(10),
    size(load.logBytesPerDay).padStart(10),
    size(load.storedBytesPerYear).padStart(10),
    load.emailsPerDay.toLocaleString("en-GB").padStart(9),
  ].join("  ");
}

const product = spawnBound(["bench/simulate/product.ts"], {});
try {
  await product.says("running {");
  const [, found = ""] = /^running (\{.*\})$/m.exec(product.output()) ?? [];
  const running = JSON.parse(found) as RunningHost;
  const owner = new pg.Client({ connectionString: running.databaseUrl });
  // When something fails, the product ends before this connection does.
  owner.on("error", () => undefined);
  await owner.connect();
  process.stdout.write(`${memberCount} members join …\n`);
  const members: SimulatedMember[] = [];
  await eachOf(Array.from({ length: memberCount + warmUpCount }), async () => {
    members.push(await joinProduct(running));
    return 1;
  });
  await owner.query(
    "update public.user_levels set current_level = 2, unlocked_levels = '{0,1,2}' where user_id = any ($1)",
    [members.map(({ id }) => id)],
  );
  const { rows: articles } = await owner.query<{ id: string }>(
    `insert into public.articles (subcategory_id, slug, title, content, is_published)
       select id, 'simulated', 'Ask for the price', repeat('Say the price, and wait. ', 200), true
       from public.subcategories where main_category = 'general' limit 1
       returning id`,
  );
  const day = { rooms: ["general", "motivation"], articleId: articles[0]?.id ?? "" };

  const measure = async () => {
    const { rows } = await owner.query<{ log: string; stored: string }>(
      "select pg_current_wal_lsn() - '0/0' as log, pg_database_size(current_database()) as stored",
    );
    return {
      log: Number(rows[0]?.log),
      stored: Number(rows[0]?.stored),
      host: processMs(product.child.pid ?? 0),
      postgres: serverMs(join(running.dataDir, "postgres")),
    };
  };
  await owner.query("checkpoint");
  await eachOf(members.slice(memberCount), async (member) => await liveDay(member, day));
  const before = await measure();
  const requests = await eachOf(members.slice(0, memberCount), async (member) => {
    return await liveDay(member, day);
  });
  const after = await measure();
  await owner.end();
  const each = (total: number) => total / memberCount;
  const cost: MeasuredDay = {
    requests: each(requests),
    logBytes: each(after.log - before.log),
    storedBytes: each(after.stored - before.stored),
    hostMs: each(after.host - before.host),
    postgresMs: each(after.postgres - before.postgres),
  };
  process.stdout.write(
    `A day of one member who comes: ${cost.requests.toFixed(0)} requests, ${kilobytes(cost.logBytes)} of log, ` +
      `${kilobytes(cost.storedBytes)} stored; ${(cost.hostMs / cost.requests).toFixed(2)} ms of a processor for a request in the host, ` +
      `${(cost.postgresMs / cost.requests).toFixed(2)} ms in PostgreSQL\n\n` +
      `  members  requests/s       cores       cores       log       stored    e-mails\n` +
      `             at peak     of hosts  of PostgreSQL  a day      a year      a day\n`,
  );
  for (const count of sizes) process.stdout.write(`${lineOf(loadOf(count, cost))}\n`);
} finally {
  product.child.kill("SIGTERM");
  await product.ended;
}
