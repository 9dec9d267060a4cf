// Figures of a host for Prometheus: requests, event loop, pools, sockets, replication, schedules, disks and backups.

import { statfs } from "node:fs/promises";
import type { MiddlewareHandler } from "hono";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { newestBackup } from "../backup/backup-schedule.ts";
import type { HostContext } from "../context.ts";
import type { SourceFigures } from "../realtime/shared-log/change-source.ts";
import { changeGauges } from "./change-gauges.ts";
import { replicaFigures } from "./replica-figures.ts";
import { listFunctions } from "../functions/function-registry.ts";
import type { Project } from "../project.ts";

/** Upper bounds of the buckets of durations, in seconds. */
const durationBuckets = [0.005, 0.025, 0.1, 0.25, 1, 2.5, 10, 60];
/** How long a scrape waits for the database; without its answer the other figures are given. */
const longestQueryMs = 3000;

const services = ["auth", "rest", "storage", "realtime", "functions"] as const;

/** A figure of the embedding program. */
export interface ProgramFigure {
  /** In Prometheus's form, such as `emails_waiting`. */
  readonly name: string;
  readonly help: string;
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
}

/** What the figures are read from at each scrape, besides the host's context. */
interface MetricsSources {
  readonly openSockets: () => number;
  readonly changeFigures: () => SourceFigures;
  readonly failedBackups: () => number;
  readonly failedMails: () => number;
  readonly programFigures: () => Promise<readonly ProgramFigure[]>;
}

/** The metrics of a host. */
export interface Metrics {
  /** Counts and times every request. */
  readonly countRequests: MiddlewareHandler;
  /** Counts a run of a scheduled function that has ended; `counts` are the numbers of its answer. */
  readonly countRun: (
    functionName: string,
    succeeded: boolean,
    counts?: Readonly<Record<string, number>>,
  ) => void;
  /** Everything as text, in Prometheus's format. */
  readonly read: () => Promise<string>;
  readonly contentType: string;
}

/** Names the service that a path belongs to, for functions with their name: few values, whatever is asked for. */
export function routesOf(project: Project): (path: string) => string {
  const functions = new Set(listFunctions(project).keys());
  return (path) => {
    const [, service = "", version, name = ""] = path.split("/");
    if (version !== "v1" || !services.some((each) => each === service)) return "site";
    if (service !== "functions") return service;
    return functions.has(name) ? `functions/${name}` : service;
  };
}

/** Settles with undefined when the answer fails or comes too late. */
async function inTime<T>(answer: Promise<T>): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), longestQueryMs);
  const settled = answer.catch(() => undefined);
  return await Promise.race([settled, late.promise]).finally(() => clearTimeout(timer));
}

interface DatabaseFigures {
  connections: number;
  max_connections: number;
  size: number;
  migration: string | null;
  slots: { name: string; bytes: number }[];
}

const databaseSql = `
  select (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
    current_setting('max_connections')::int as max_connections,
    pg_database_size(current_database())::float8 as size,
    (select max(version) from supabase_migrations.schema_migrations) as migration,
    coalesce((
      select json_agg(json_build_object('name', s.slot_name, 'bytes', pg_wal_lsn_diff(pg_current_wal_lsn(), s.confirmed_flush_lsn)))
      from pg_replication_slots s where s.database = current_database() and s.confirmed_flush_lsn is not null
    ), '[]') as slots`;

/** The metrics of one host; undefined where nothing serves them. They hold no names of members, addresses or texts. */
export function metricsOf(context: HostContext, sources: MetricsSources): Metrics | undefined {
  const { config, db, project, now } = context;
  if (config.metricsPort === undefined && config.metricsToken === undefined) return undefined;
  const routeOf = routesOf(project);
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const gauge = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Gauge({ name, help, labelNames, registers });

  const requests = new Histogram({
    name: "http_request_duration_seconds",
    help: "Duration of requests until the answer began.",
    labelNames: ["route", "method", "status"],
    buckets: durationBuckets,
    registers,
  });
  const runs = new Counter({
    name: "schedule_runs_total",
    help: "Runs of scheduled functions on this host.",
    labelNames: ["function", "outcome"],
    registers,
  });
  const lastSuccess = gauge(
    "schedule_last_success_timestamp_seconds",
    "When a scheduled function last succeeded on this host.",
    ["function"],
  );
  const lastCounts = gauge(
    "schedule_last_count",
    "What a scheduled function counted in its last run on this host, such as what it sent.",
    ["function", "count"],
  );
  const failedMails = gauge(
    "auth_email_failures",
    "E-mails of the auth service that failed since one was sent.",
  );
  const pools = gauge("postgres_pool_connections", "Connections of each pool.", ["pool", "state"]);
  const waiting = gauge("postgres_pool_waiting", "Requests that wait for a connection.", ["pool"]);
  const readReplica = replicaFigures(db.replica, gauge, registers);
  const sockets = gauge("realtime_sockets", "Open WebSockets.");
  const setChangeFigures = changeGauges(registry);
  const isUp = gauge("postgres_up", "1 while the database answers.");
  const connections = gauge("postgres_connections", "Connections to the database, of all hosts.");
  const mostConnections = gauge("postgres_max_connections", "Connections the server accepts.");
  const size = gauge("postgres_database_size_bytes", "Size of the database.");
  const lag = gauge(
    "postgres_replication_slot_lag_bytes",
    "Write-ahead log that a slot has not confirmed yet; the server keeps it.",
    ["slot"],
  );
  const migration = gauge("schema_migration_info", "The newest migration, as a label.", [
    "version",
  ]);
  const free = gauge("disk_free_bytes", "Free bytes of the disk that holds a folder.", ["folder"]);
  const total = gauge("disk_size_bytes", "Size of the disk that holds a folder.", ["folder"]);
  const failedBackups = gauge("backup_failures", "Failures since the last backup that was made.");
  const lastBackup = gauge(
    "backup_last_success_timestamp_seconds",
    "When the newest backup was made; 0 for none.",
  );
  const ofProgram = new Map<string, Gauge>();

  async function readDatabase(): Promise<void> {
    const answer = await inTime(db.lookups.query<DatabaseFigures>(databaseSql));
    const figures = answer?.rows[0];
    isUp.set(figures === undefined ? 0 : 1);
    lag.reset();
    migration.reset();
    if (figures === undefined) return;
    connections.set(figures.connections);
    mostConnections.set(figures.max_connections);
    size.set(figures.size);
    for (const { name, bytes } of figures.slots) lag.set({ slot: name }, bytes);
    if (figures.migration !== null) migration.set({ version: figures.migration }, 1);
  }

  async function readDisk(folder: string, path: string): Promise<void> {
    const disk = await statfs(path).catch(() => undefined);
    if (disk === undefined) return;
    free.set({ folder }, disk.bavail * disk.bsize);
    total.set({ folder }, disk.blocks * disk.bsize);
  }

  async function readBackups(path: string): Promise<void> {
    failedBackups.set(sources.failedBackups());
    lastBackup.set(((await newestBackup(path, now())) ?? 0) / 1000);
    await readDisk("backups", path);
  }

  async function readProgram(): Promise<void> {
    const figures = (await inTime(sources.programFigures())) ?? [];
    for (const known of ofProgram.values()) known.reset();
    for (const { name, help, value, labels = {} } of figures) {
      const known = ofProgram.get(name) ?? gauge(name, help, Object.keys(labels));
      ofProgram.set(name, known);
      known.set(labels, value);
    }
  }

  return {
    contentType: registry.contentType,
    countRequests: async (c, next) => {
      const startedAt = performance.now();
      await next();
      const labels = {
        route: routeOf(c.req.path),
        method: c.req.method,
        status: c.res.status,
      };
      requests.observe(labels, (performance.now() - startedAt) / 1000);
    },
    countRun: (functionName, succeeded, counts = {}) => {
      for (const [count, value] of Object.entries(counts))
        lastCounts.set({ function: functionName, count }, value);
      runs.inc({ function: functionName, outcome: succeeded ? "succeeded" : "failed" });
      if (succeeded) lastSuccess.set({ function: functionName }, now() / 1000);
    },
    read: async () => {
      for (const [pool, { idleCount, totalCount, waitingCount }] of db.pools) {
        pools.set({ pool, state: "idle" }, idleCount);
        pools.set({ pool, state: "used" }, totalCount - idleCount);
        waiting.set({ pool }, waitingCount);
      }
      readReplica();
      sockets.set(sources.openSockets());
      setChangeFigures(sources.changeFigures());
      failedMails.set(sources.failedMails());
      await Promise.all([
        readDatabase(),
        readDisk("data", config.dataDir),
        config.backups === undefined ? undefined : readBackups(config.backups.folder),
        readProgram(),
      ]);
      return await registry.metrics();
    },
  };
}
