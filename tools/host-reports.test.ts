import { pino } from "pino";
import { afterEach, expect, it, vi } from "vitest";
import type { HealthChecks } from "basehost";
import { reportHealth, type ReportedHost } from "./host-reports.ts";

afterEach(() => vi.useRealTimers());

const context = (query: (sql: string, values: unknown[]) => Promise<object>) =>
  ({
    localUrl: "http://127.0.0.1:3000",
    log: pino({ level: "silent" }),
    db: { admin: { query } },
  }) as unknown as ReportedHost["context"];

it("tells each minute how the host is, also after the database was away, and is forgotten when it stops", async () => {
  vi.useFakeTimers();
  const told: unknown[] = [];
  let isAway = false;
  const query = async (sql: string, values: unknown[]) => {
    if (isAway) return await Promise.reject(new Error("gone"));
    told.push(sql.includes("insert") ? JSON.parse(String(values[1])) : sql.slice(0, 6));
    expect(values[0]).toMatch(/:3000$/);
    return await Promise.resolve({});
  };
  let checks: HealthChecks = { disk: { state: "ok" } };
  const reports = reportHealth({
    context: context(query),
    checks: async () => await Promise.resolve(checks),
  });
  await vi.advanceTimersByTimeAsync(0);
  expect(told).toEqual([checks]);
  isAway = true;
  await vi.advanceTimersByTimeAsync(60_000);
  isAway = false;
  checks = { disk: { state: "failing", detail: "the disk is full" } };
  await vi.advanceTimersByTimeAsync(60_000);
  expect(told.slice(1)).toEqual([checks]);
  await reports.stop();
  expect(told.slice(2)).toEqual(["delete"]);
  await vi.advanceTimersByTimeAsync(300_000);
  expect(told).toHaveLength(3);
});
