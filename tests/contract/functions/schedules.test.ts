import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from "vitest";
import type { HostContext } from "basehost";
import { startSchedules } from "basehost/testing";
import { ownerPool } from "../../support/clients.ts";

interface Run {
  authorization: string | null;
  method: string;
  startedAt: number;
  endedAt: number | undefined;
}
const runs: Run[] = [];
const admin = ownerPool();
/** How long a second of an interval lasts here. */
const secondMs = 200;
/** A limit for what hangs. */
const slowTest = { timeout: 60_000 };
const stops: (() => Promise<void>)[] = [];
let folder: string;

/** A function that notes its runs in this process and takes as long as its name says. */
const code = (ms: number) => `
export default async function handle(request) {
  const run = { authorization: request.headers.get("authorization"), method: request.method, startedAt: Date.now() };
  globalThis.scheduledRuns.push(run);
  await new Promise((resolve) => setTimeout(resolve, ${ms}));
  run.endedAt = Date.now();
  return new Response("ok");
}`;

async function plan(schedules: unknown) {
  await writeFile(join(folder, "functions", "schedules.json"), JSON.stringify(schedules));
}

/** Starts the schedules that were planned. */
async function host(
  onRun?: (name: string, succeeded: boolean, counts: object) => void,
  log = pino({ level: "silent" }),
  second = secondMs,
) {
  const context = {
    publicUrl: "http://host.test",
    db: { jobs: admin },
    keys: { api: { serviceRoleKey: inject("host").serviceRoleKey } },
    project: { folder, settings: {} },
    log,
  } as unknown as HostContext;
  const started = await startSchedules(context, {}, second, onRun);
  stops.push(started.stop);
  return started;
}

beforeAll(async () => {
  Object.assign(globalThis, { scheduledRuns: runs });
  folder = await mkdtemp(join(tmpdir(), "schedules-"));
  for (const [name, ms] of [
    ["quick-tick", 10],
    ["long-tick", 300],
    ["slow-tick", 1500],
  ] as const) {
    await mkdir(join(folder, "functions", name), { recursive: true });
    await writeFile(join(folder, "functions", name, "handler.ts"), code(ms));
  }
  await mkdir(join(folder, "functions", "broken-tick"));
  await writeFile(
    join(folder, "functions", "broken-tick", "handler.ts"),
    "export default async () => new Response(null, { status: 500 });",
  );
});

afterEach(async () => {
  await Promise.all(stops.splice(0).map(async (stop) => await stop()));
  runs.length = 0;
});

afterAll(async () => {
  await admin.end();
  await rm(folder, { recursive: true, force: true });
});

test("a function is called after one interval, then every interval, with the service key", async () => {
  const startedAt = Date.now();
  await plan([{ function: "quick-tick", every_seconds: 1 }]);
  await host();
  await vi.waitFor(() => expect(runs.length).toBeGreaterThanOrEqual(2), slowTest);
  expect((runs[0]?.startedAt ?? 0) - startedAt).toBeGreaterThanOrEqual(0.88 * secondMs);
  expect(runs[0]).toMatchObject({
    method: "POST",
    authorization: `Bearer ${inject("host").serviceRoleKey}`,
  });
});

test("an interval is from begin to begin, so that a long run does not delay the next one", async () => {
  const pauses = vi.spyOn(globalThis, "setTimeout");
  await plan([{ function: "slow-tick", every_seconds: 3 }]);
  // Whole seconds: a busy machine may add a part of one to the run.
  await host(undefined, undefined, 1000);
  await vi.waitFor(() => expect(runs.length).toBeGreaterThanOrEqual(2), slowTest);
  // The run of 1.5 s is taken off three seconds and their tenth.
  const asked = pauses.mock.calls.map(([, ms]) => ms ?? 0);
  pauses.mockRestore();
  expect(asked).toContainEqual(expect.toSatisfy((ms: number) => ms > 900 && ms <= 1800));
});

test("two hosts on one database call as often as one", async () => {
  await plan([{ function: "quick-tick", every_seconds: 1 }]);
  const startedAt = Date.now();
  await Promise.all([host(), host()]);
  await vi.waitFor(() => expect(runs.length).toBeGreaterThanOrEqual(4), slowTest);
  // No two runs are nearer than the interval less twice its spread; without each other's knowledge there
  // would be two runs a second.
  for (const [index, run] of runs.entries()) {
    expect(index + 1).toBeLessThanOrEqual((run.startedAt - startedAt) / (0.8 * secondMs));
  }
});

test("a run that takes longer than its interval is not overtaken by another host", async () => {
  await plan([{ function: "long-tick", every_seconds: 1 }]);
  await Promise.all([host(), host()]);
  const ended = () => runs.filter((run) => run.endedAt).length;
  await vi.waitFor(() => expect(ended()).toBeGreaterThanOrEqual(3), slowTest);
  for (const [index, run] of runs.entries()) {
    const before = runs[index - 1];
    if (before !== undefined)
      expect(run.startedAt).toBeGreaterThanOrEqual(before.endedAt ?? Infinity);
  }
});

test("each run is told with whether it succeeded", async () => {
  await plan([
    { function: "quick-tick", every_seconds: 1 },
    { function: "broken-tick", every_seconds: 1 },
  ]);
  const onRun = vi.fn();
  await host(onRun);
  await vi.waitFor(() => {
    expect(onRun).toHaveBeenCalledWith("quick-tick", true, {});
    expect(onRun).toHaveBeenCalledWith("broken-tick", false, {});
  }, slowTest);
  expect(onRun).not.toHaveBeenCalledWith("broken-tick", true, {});
});

test("a run that did something is told at the level of every day, and one that found nothing to do is not", async () => {
  for (const [name, counts] of [
    ["busy-tick", { sent: 2, failed: 0 }],
    ["idle-tick", { sent: 0 }],
  ] as const) {
    const answer = `export default async () => Response.json(${JSON.stringify(counts)});`;
    await mkdir(join(folder, "functions", name));
    await writeFile(join(folder, "functions", name, "handler.ts"), answer);
  }
  await plan([
    { function: "busy-tick", every_seconds: 1 },
    { function: "idle-tick", every_seconds: 1 },
  ]);
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>);
  await host(undefined, pino({ level: "debug" }, { write }));
  await vi.waitFor(() => {
    for (const name of ["busy-tick", "idle-tick"])
      expect(lines.some((line) => line["function"] === name)).toBe(true);
  }, slowTest);
  const line = (name: string) => lines.find((each) => each["function"] === name);
  const ran = { msg: "schedule ran", status: 200, id: expect.any(String), ms: expect.any(Number) };
  expect(line("busy-tick")).toMatchObject({ ...ran, level: 30, result: { sent: 2, failed: 0 } });
  expect(line("idle-tick")).toMatchObject({ ...ran, level: 20 });
});

test("stopping waits for a running call and starts no other", async () => {
  await plan([{ function: "long-tick", every_seconds: 1 }]);
  const { stop } = await host();
  await vi.waitFor(() => expect(runs.length).toBeGreaterThan(0), slowTest);
  await stop();
  expect(runs[0]?.endedAt).toBeDefined();
  const { rows } = await admin.query(
    "select from pg_locks where locktype = 'advisory' and classid = 4710340",
  );
  expect(rows).toHaveLength(0);
});

test.each([
  ["a function that is not there", [{ function: "absent", every_seconds: 1 }]],
  ["no interval", [{ function: "quick-tick" }]],
  ["an interval of nothing", [{ function: "quick-tick", every_seconds: 0 }]],
])("a file with %s stops the start with a sentence", async (_, schedules) => {
  await plan(schedules);
  await expect(host()).rejects.toThrow(/schedules\.json/);
});
