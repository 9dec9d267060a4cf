import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createClient } from "@supabase/supabase-js";
import pg from "pg";
import { startTestProduct } from "../tests/support/backend-setup.ts";
import { openPlainHttp } from "./plain-http.ts";
import type { Finding } from "./rest-read.ts";

const run = promisify(execFile);
const loadScript = fileURLToPath(new URL("load.ts", import.meta.url));
const sampleCount = 1500;
const roundCount = 3;
const connectionCount = 10;
const roundMs = 2000;
/** A home page may take this many times as long as the same transaction through the bare driver. */
const maxRatio = 1.3;

const homeSql = "select public.category_home($1, $2) as page";
const homeArguments = ["general", "articles"];

interface Member {
  token: string;
}

/** A member at level 2 who has read ten articles of the shipped library. */
async function memberOf(url: string, anonKey: string, owner: pg.Client): Promise<Member> {
  const quiet = { persistSession: false, autoRefreshToken: false };
  const client = createClient(url, anonKey, { auth: quiet });
  const { data, error } = await client.auth.signUp({
    email: "bench@example.test",
    password: "Correct-Horse-42!",
  });
  if (error) throw error;
  const id = data.user?.id ?? "";
  await owner.query(
    `with face as (insert into public.profiles (id, onboarding_complete) values ($1, true)),
       level as (insert into public.user_levels (user_id, current_level) values ($1, 2)),
       customer as (insert into public.stripe_customers (customer_id, user_id) values ('cus_bench', $1) returning customer_id)
     insert into public.stripe_subscriptions (customer_id, subscription_id, status, price_id)
       select customer_id, 'sub_bench', 'active', 'price_student_access' from customer`,
    [id],
  );
  await owner.query(
    `insert into public.article_reads (user_id, article_id)
       select $1, a.id from public.articles a join public.subcategories s on s.id = a.subcategory_id
       where s.main_category = 'general' limit 10`,
    [id],
  );
  return { token: data.session?.access_token ?? "" };
}

/** The claims of the member's own token: without its session the database would answer less. */
const claimsOf = ({ token }: Member) => [
  Buffer.from(token.split(".")[1] ?? "", "base64url").toString(),
];
const becomeSql = (local: boolean) =>
  `select set_config('role', 'authenticated', ${local}), set_config('request.jwt.claims', $1, ${local})`;

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return client;
}

const read = async (client: pg.Client) =>
  await client.query({ name: "home", text: homeSql, values: homeArguments });

/** The least that any server has to send: one transaction in the role of the member. */
async function readAs(client: pg.Client, member: Member): Promise<void> {
  await client.query("begin");
  await client.query({ name: "become", text: becomeSql(true), values: claimsOf(member) });
  await read(client);
  await client.query("commit");
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** Medians of several calls in milliseconds, made in turn so that other load affects all alike. */
async function latencies(calls: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const times = calls.map((): number[] => []);
  for (let sample = 0; sample < sampleCount; sample += 1) {
    for (const [at, call] of calls.entries()) {
      const startedAt = performance.now();
      await call();
      times[at]?.push(performance.now() - startedAt);
    }
  }
  return times.map(median);
}

/** Calls a second on several connections at once. */
async function throughput(clients: readonly pg.Client[], member: Member): Promise<number> {
  const startedAt = performance.now();
  let answered = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < startedAt + roundMs) {
        await readAs(client, member);
        answered += 1;
      }
    }),
  );
  return (answered / (performance.now() - startedAt)) * 1000;
}

/** A category's home page of the shipped library through the whole host, against the bare driver in the same run. */
export async function benchLibraryHome(): Promise<Finding> {
  const { running, stop } = await startTestProduct();
  const owner = new pg.Client({ connectionString: running.databaseUrl });
  await owner.connect();
  const clients: pg.Client[] = [];
  try {
    const member = await memberOf(running.url, running.anonKey, owner);
    for (let n = 0; n < connectionCount; n += 1) clients.push(await connect(running.databaseUrl));
    const [first] = clients;
    if (!first) throw new Error("no connection");
    // This connection keeps the member's role, so that only the call itself is measured.
    const alone = await connect(running.databaseUrl);
    clients.push(alone);
    await alone.query(becomeSql(false), claimsOf(member));
    const [category, shelf] = homeArguments;
    const url = `${running.url}/rest/v1/rpc/category_home?category=${category}&shelf=${shelf}`;
    const headers = { apikey: running.anonKey, authorization: `Bearer ${member.token}` };
    const load = [
      loadScript,
      url,
      running.anonKey,
      String(connectionCount),
      String(roundMs),
      member.token,
    ];
    const workers = clients.slice(0, connectionCount);
    await Promise.all(workers.map(async (client) => await readAs(client, member)));
    await run(process.execPath, load);
    const [rawRate, restRate]: [number[], number[]] = [[], []];
    for (let round = 0; round < roundCount; round += 1) {
      rawRate.push(await throughput(workers, member));
      restRate.push(Number((await run(process.execPath, load)).stdout));
    }
    // Opened just before it is used: the host closes a connection that stays silent.
    const http = await openPlainHttp(url, headers);
    const [raw = 0, rest = 0, call = 0] = await latencies([
      async () => await readAs(first, member),
      http.ask,
      async () => await read(alone),
    ]);
    http.close();
    const ratio = rest / raw;
    return {
      title: "home page of a category over REST",
      figures:
        `${rest.toFixed(2)} ms, the same transaction through the bare driver ${raw.toFixed(2)} ms, ` +
        `ratio ${ratio.toFixed(2)} (limit ${maxRatio}); the call alone ${call.toFixed(2)} ms; ` +
        `${connectionCount} at once ${median(restRate).toFixed(0)}/s against ${median(rawRate).toFixed(0)}/s`,
      holds: ratio <= maxRatio,
    };
  } finally {
    await Promise.all(clients.map(async (client) => await client.end()));
    await owner.end();
    await stop();
  }
}
