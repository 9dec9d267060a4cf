import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import type { HostContext } from "../context.ts";
import { metricsOf } from "./metrics.ts";

const folder = mkdtempSync(join(tmpdir(), "metrics-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.useRealTimers());

const now = Date.UTC(2026, 0, 31, 12);
const figures = { connections: 5, max_connections: 100, size: 1, migration: null, slots: [] };
const sources = {
  openSockets: () => 0,
  changeFigures: () => ({ decoder: undefined, isOwn: true, received: 0, lagMs: 0 }),
  failedBackups: () => 0,
  failedMails: () => 0,
  programFigures: async () => await Promise.resolve([]),
};

function context(query: () => Promise<object>, config: object = {}): HostContext {
  return {
    config: { metricsPort: 0, dataDir: folder, ...config },
    db: { lookups: { query }, pools: new Map() },
    project: { folder, settings: {} },
    now: () => now,
  } as unknown as HostContext;
}

const answering = async () => await Promise.resolve({ rows: [figures] });

it("is not there where nothing serves it", () => {
  expect(metricsOf(context(answering, { metricsPort: undefined }), sources)).toBeUndefined();
});

it("says that the database is away, and that it is back", async () => {
  const query = vi.fn(answering);
  const metrics = metricsOf(context(query), sources);
  expect(await metrics?.read()).toContain("postgres_up 1\n");
  query.mockRejectedValueOnce(new Error("gone"));
  expect(await metrics?.read()).toContain("postgres_up 0\n");
  expect(await metrics?.read()).toContain("postgres_up 1\n");
});

it("does not wait longer than three seconds for a database that gives no answer", async () => {
  vi.useFakeTimers();
  const metrics = metricsOf(
    context(async () => await new Promise(() => undefined)),
    sources,
  );
  const text = metrics?.read();
  await vi.advanceTimersByTimeAsync(3000);
  expect(await text).toContain("postgres_up 0\n");
});

it("counts the runs of schedules, and says when one last succeeded", async () => {
  const metrics = metricsOf(context(answering), sources);
  metrics?.countRun("send-emails", true);
  metrics?.countRun("send-emails", false);
  metrics?.countRun("send-emails", false);
  metrics?.countRun("send-pushes", true, { sent: 4, failed: 1 });
  const text = await metrics?.read();
  expect(text).toContain('schedule_last_count{function="send-pushes",count="failed"} 1');
  expect(text).toContain('schedule_runs_total{function="send-emails",outcome="failed"} 2');
  expect(text).toContain('schedule_runs_total{function="send-emails",outcome="succeeded"} 1');
  expect(text).toContain(
    `schedule_last_success_timestamp_seconds{function="send-emails"} ${now / 1000}`,
  );
});

it("says what a host does for the log that hosts share, and that Redis is away", async () => {
  const figuresOf = async (isReachable: boolean) => {
    const decoder = { role: "standby" as const, isReachable, published: 7, lagBytes: 9 };
    const changeFigures = () => ({ decoder, isOwn: !isReachable, received: 5, lagMs: 250 });
    return await metricsOf(context(answering), { ...sources, changeFigures })?.read();
  };
  const text = await figuresOf(true);
  expect(text).toContain('realtime_log_role{role="standby"} 1\n');
  expect(text).toContain('realtime_log_role{role="decoder"} 0\n');
  expect(text).toContain("redis_up 1\n");
  expect(text).toContain("realtime_log_lag_bytes 9\n");
  expect(text).toContain("realtime_log_published_total 7\n");
  expect(text).toContain("realtime_changes_received_total 5\n");
  expect(text).toContain("realtime_changes_lag_seconds 0.25\n");
  expect(await figuresOf(false)).toContain("redis_up 0\n");
  expect(await figuresOf(false)).toContain('realtime_log_role{role="own"} 1\n');
  const alone = await metricsOf(context(answering), sources)?.read();
  expect(alone).not.toMatch(/^redis_up|^realtime_log_role/m);
});

it("counts e-mails of the auth service that the mail server did not take", async () => {
  const metrics = metricsOf(context(answering), { ...sources, failedMails: () => 2 });
  expect(await metrics?.read()).toContain("auth_email_failures 2\n");
});

it("says when the newest backup was made, and how many have failed since", async () => {
  for (const day of ["29", "30"])
    writeFileSync(join(folder, `backup-202601${day}T030000Z.tar.gz`), "");
  const backups = { folder };
  const metrics = metricsOf(context(answering, { backups }), {
    ...sources,
    failedBackups: () => 2,
  });
  const text = await metrics?.read();
  expect(text).toContain("backup_failures 2\n");
  const made = Date.UTC(2026, 0, 30, 3) / 1000;
  expect(text).toContain(`backup_last_success_timestamp_seconds ${made}\n`);
  expect(text).toMatch(/disk_size_bytes\{folder="backups"\} [1-9]/);
});

it("drops a figure of the program that is no longer given, and goes on when they can't be read", async () => {
  const programFigures = vi.fn(
    async () =>
      await Promise.resolve([
        { name: "emails_waiting", help: "Waiting.", value: 3, labels: { kind: "a" } },
      ]),
  );
  const metrics = metricsOf(context(answering), { ...sources, programFigures });
  expect(await metrics?.read()).toContain('emails_waiting{kind="a"} 3');
  programFigures.mockRejectedValueOnce(new Error("gone"));
  const text = await metrics?.read();
  expect(text).toContain("postgres_up 1\n");
  expect(text).not.toContain("emails_waiting{");
});

it("has figures of a read replica, and none where there is no replica", async () => {
  const without = await metricsOf(context(answering), sources)?.read();
  expect(without).not.toMatch(/^postgres_replica/m);
  const host = context(answering);
  const reads = { replica: 7, lag: 1, own_write: 2, failed: 3 };
  const replica = {
    problem: undefined as string | undefined,
    lagMs: 250 as number | undefined,
    reads,
  };
  const metrics = metricsOf(
    { ...host, db: { ...host.db, replica } } as unknown as HostContext,
    sources,
  );
  const text = await metrics?.read();
  expect(text).toContain("postgres_replica_used 1\n");
  expect(text).toContain("postgres_replica_lag_seconds 0.25\n");
  expect(text).toContain('postgres_replica_reads_total{outcome="own_write"} 2\n');
  Object.assign(replica, { problem: "it is away", lagMs: undefined });
  const later = await metrics?.read();
  expect(later).toContain("postgres_replica_used 0\n");
  expect(later).toContain("postgres_replica_lag_seconds +Inf\n");
  expect(later).toContain('postgres_replica_reads_total{outcome="own_write"} 2\n');
});
