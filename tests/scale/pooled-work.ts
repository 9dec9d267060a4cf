import { randomInt, randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  createClient,
  REALTIME_SUBSCRIBE_STATES,
  type SupabaseClient,
} from "@supabase/supabase-js";
import { SignJWT } from "jose";
import pg from "pg";
import { projectRoot, spawnScript } from "../support/spawn-product.ts";
import { jwtSecret, type PooledCluster, type StartedHost } from "./pooled.ts";

const workersPerHost = 6;
/** A host, its pools and the four connections beside them; docs/deploy.md names the sum. */
const directPerHost = 19;
/** `default_pool_size` of docs/deploy.md for three logins. */
const poolSize = 45;

/** Of so many statements one may have to be prepared, where PgBouncer keeps them: each once on each of its connections. */
const mostPrepared = 10;

/** What happened to requests through the pool and to reads of the replica. */
export interface PooledFigures {
  requests: number;
  failed: number;
  /** Answers that were made as another caller. */
  mixedUp: number;
  /** Changes of one host that a listener of the other was not told. */
  missed: number;
  replicaReads: number;
  /** Statements that ran through a PgBouncer which keeps them; null with one that does not. */
  statements: number | null;
  /** How often one had to be prepared on the server for that. */
  prepared: number;
  /** Most connections of each kind that the primary had. */
  pooledConnections: number;
  directConnections: number;
}

/** What is not as it should be; empty when all holds. */
export function pooledProblems(figures: PooledFigures, hosts: number): string[] {
  const { failed, requests, mixedUp, missed, replicaReads } = figures;
  return [
    ...(failed > 0 ? [`${failed} of ${requests} requests failed`] : []),
    ...(mixedUp > 0 ? [`${mixedUp} answers were made as another caller`] : []),
    ...(missed > 0 ? [`${missed} changes were missed`] : []),
    ...(replicaReads === 0 ? ["the replica answered nothing"] : []),
    ...(figures.statements === 0 ? ["PgBouncer counted no statement"] : []),
    ...(figures.statements !== null && figures.prepared * mostPrepared > figures.statements
      ? [`${figures.prepared} of ${figures.statements} statements had to be prepared`]
      : []),
    ...(figures.pooledConnections > poolSize
      ? [`the pool had ${figures.pooledConnections} connections`]
      : []),
    ...(figures.directConnections > hosts * directPerHost
      ? [`the hosts had ${figures.directConnections} connections of their own`]
      : []),
  ];
}

async function memberOf({ url, anonKey }: StartedHost, sub: string): Promise<SupabaseClient> {
  const token = await new SignJWT({ sub, role: "authenticated", aud: "authenticated" })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setExpirationTime("1h")
    .sign(new TextEncoder().encode(jwtSecret));
  const accessToken = async () => await Promise.resolve(token);
  return createClient(url, anonKey, { accessToken, db: { retry: false } });
}

async function figureOf({ metricsUrl }: StartedHost, line: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  const found = text.split("\n").find((each) => each.startsWith(`${line} `));
  return Number(found?.slice(line.length + 1) ?? 0);
}

async function untilUsed(hosts: readonly StartedHost[], used: 0 | 1): Promise<void> {
  for (const host of hosts) {
    for (let tries = 0; (await figureOf(host, "postgres_replica_used")) !== used; tries++) {
      if (tries > 150)
        throw new Error(`postgres_replica_used of ${host.url} did not become ${used}`);
      await sleep(200);
    }
  }
}

/** The start and the doctor name what is wrong with the addresses. */
export async function refusals(cluster: PooledCluster): Promise<string[]> {
  const { direct, pooled, keepsStatements } = cluster;
  const keepsNone: [env: Record<string, string>, reason: string] = [
    { DATABASE_URL: pooled, DATABASE_DIRECT_URL: direct, DATABASE_POOL_STATEMENTS: "1" },
    "forgets prepared statements",
  ];
  const wrong: [env: Record<string, string>, reason: string][] = [
    [{ DATABASE_URL: pooled }, "DATABASE_URL leads through a connection pool"],
    [
      { DATABASE_URL: direct, DATABASE_DIRECT_URL: pooled },
      "DATABASE_DIRECT_URL leads through a connection pool",
    ],
    ...(keepsStatements ? [] : [keepsNone]),
  ];
  const problems: string[] = [];
  for (const [env, reason] of wrong) {
    const { refusal } = await cluster.startHost(env);
    if (refusal?.includes(reason) !== true) problems.push(`a start was not refused: ${reason}`);
    const doctor = spawnScript([join(projectRoot, "tools", "doctor.ts")], env, "/");
    const code = await doctor.ended;
    if (code !== 1 || !doctor.output().includes(reason))
      problems.push(`the doctor did not say: ${reason}`);
  }
  return problems;
}

/** Works at both hosts, while the replica lags and ends. */
export async function workPooled(
  cluster: PooledCluster,
  hosts: readonly [StartedHost, StartedHost],
  seconds: number,
): Promise<PooledFigures> {
  const figures: PooledFigures = {
    requests: 0,
    failed: 0,
    mixedUp: 0,
    missed: 0,
    replicaReads: 0,
    statements: null,
    prepared: 0,
    pooledConnections: 0,
    directConnections: 0,
  };
  await untilUsed(hosts, 1);
  const owner = new pg.Client({ connectionString: cluster.direct });
  const replica = new pg.Client({ connectionString: cluster.superuserOfReplica });
  replica.on("error", () => undefined);
  await owner.connect();
  await replica.connect();
  const told = new Set<number>();
  const listener = await memberOf(hosts[0], randomUUID());
  await new Promise<void>((resolve) => {
    listener
      .channel(randomUUID())
      .on("postgres_changes", { event: "INSERT", schema: "public", table: "posters" }, (change) => {
        told.add((change.new as { id: number }).id);
      })
      .subscribe((status) => status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED && resolve());
  });
  const over = new AbortController();
  const count = (error: unknown) => {
    figures.requests++;
    if (error !== null) figures.failed++;
  };
  const work = async (host: StartedHost) => {
    const sub = randomUUID();
    const client = await memberOf(host, sub);
    while (!over.signal.aborted) {
      const { data, error } = await client.rpc("who_calls");
      count(error);
      const { claims } = (data ?? {}) as { claims?: { sub?: string } };
      if (error === null && claims?.sub !== sub) figures.mixedUp++;
      count((await client.from("books").select("id,title").limit(10)).error);
      await sleep(10);
    }
  };
  const inserted: number[] = [];
  const insert = async () => {
    const service = createClient(hosts[1].url, hosts[1].serviceRoleKey, { db: { retry: false } });
    while (!over.signal.aborted) {
      const id = randomInt(2 ** 31);
      const { error } = await service.from("posters").insert({ id, title: "pooled" });
      count(error);
      if (error === null) inserted.push(id);
      await sleep(50);
    }
  };
  const watch = async () => {
    while (!over.signal.aborted) {
      const { rows } = await owner.query<{ pooled: number; direct: number }>(
        `select count(*) filter (where application_name in ('host-auth', 'host-lookups', 'host-anonymous', 'host-members', 'host-service'))::int as pooled,
           count(*) filter (where application_name ~ '^host-' and application_name !~ '^host-(auth|lookups|anonymous|members|service)$')::int as direct
         from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`,
      );
      figures.pooledConnections = Math.max(figures.pooledConnections, rows[0]?.pooled ?? 0);
      figures.directConnections = Math.max(figures.directConnections, rows[0]?.direct ?? 0);
      await sleep(250);
    }
  };
  const trouble = async () => {
    await sleep((seconds * 1000) / 4);
    await replica.query("select pg_wal_replay_pause()");
    await untilUsed(hosts, 0);
    await replica.query("select pg_wal_replay_resume()");
    await untilUsed(hosts, 1);
    await sleep((seconds * 1000) / 4);
    await cluster.replica.stop();
    await untilUsed(hosts, 0);
    await cluster.replica.start();
    await untilUsed(hosts, 1);
    await sleep((seconds * 1000) / 4);
  };
  const running = [
    insert(),
    watch(),
    ...hosts.flatMap((host) =>
      Array.from({ length: workersPerHost }, async () => await work(host)),
    ),
  ];
  try {
    await trouble();
  } finally {
    over.abort();
    await Promise.all(running);
    await sleep(2000);
    await listener.realtime.disconnect();
    await owner.end();
    await replica.end().catch(() => undefined);
  }
  figures.missed = inserted.filter((id) => !told.has(id)).length;
  if (cluster.keepsStatements) {
    const { run, prepared } = await cluster.statements();
    Object.assign(figures, { statements: run, prepared });
  }
  for (const host of hosts)
    figures.replicaReads += await figureOf(host, 'postgres_replica_reads_total{outcome="replica"}');
  return figures;
}
