import { afterEach, expect, it, vi } from "vitest";
import type { HealthChecks } from "./health-check.ts";
import { logHealth } from "./health-log.ts";

afterEach(() => vi.useRealTimers());

function started() {
  vi.useFakeTimers();
  const told: unknown[] = [];
  const keep = (level: string) => (line: object, message: string) =>
    told.push({ level, ...line, message });
  const state: { checks: HealthChecks; isAway: boolean; nowMs: number } = {
    checks: { mail: { state: "ok" } },
    isAway: false,
    nowMs: 0,
  };
  const { stop } = logHealth({
    checks: async () =>
      state.isAway ? await Promise.reject(new Error("gone")) : await Promise.resolve(state.checks),
    log: { info: keep("info"), warn: keep("warn"), error: keep("error") } as never,
    now: () => state.nowMs,
  });
  const pass = async (ms: number) => {
    state.nowMs += ms;
    await vi.advanceTimersByTimeAsync(ms);
  };
  const rounds = async (count: number) => {
    for (let round = 0; round < count; round++) await pass(10_000);
  };
  return { told, state, stop, pass, rounds };
}

it("says once that a part has trouble, once that it fails, and once that it works again", async () => {
  const { told, state, rounds } = started();
  await rounds(3);
  expect(told).toEqual([]);
  state.checks = { mail: { state: "warning", detail: "sending e-mail failed last time" } };
  await rounds(30);
  state.checks = { mail: { state: "failing", detail: "sending e-mail failed 3 times in a row" } };
  await rounds(30);
  state.checks = { mail: { state: "warning", detail: "1 to be tried again" } };
  await rounds(30);
  state.checks = { mail: { state: "ok" } };
  await rounds(3);
  const part = "mail";
  expect(told).toEqual([
    {
      level: "warn",
      part,
      detail: "sending e-mail failed last time",
      message: "a part of this host has trouble",
    },
    {
      level: "error",
      part,
      detail: "sending e-mail failed 3 times in a row",
      message: "a part of this host fails",
    },
    { level: "info", part, seconds: 900, message: "a part of this host works again" },
  ]);
});

it("says it again when it happens again, and of each part by itself", async () => {
  const { told, state, rounds } = started();
  for (let time = 0; time < 2; time++) {
    state.checks = { disk: { state: "failing" }, redis: { state: "warning" } };
    await rounds(2);
    state.checks = { disk: { state: "ok" }, redis: { state: "ok" } };
    await rounds(2);
  }
  const worse = told.filter((line) => (line as { level: string }).level !== "info");
  expect(worse).toHaveLength(4);
});

it("says that the process was stopped for a while, and goes on after checks that failed", async () => {
  const { told, state, pass, rounds } = started();
  state.isAway = true;
  await rounds(2);
  state.isAway = false;
  state.nowMs += 42_000;
  await pass(10_000);
  expect(told).toEqual([
    { level: "warn", part: "host", seconds: 42, message: "this host stood still" },
  ]);
});

it("says nothing any more once it is stopped", async () => {
  const { told, state, stop, rounds } = started();
  state.checks = { mail: { state: "failing" } };
  stop();
  await rounds(3);
  expect(told).toEqual([]);
});
