import { expect, it } from "vitest";
import { realtimeChecks } from "./realtime-checks.ts";

const decoder = { role: "follower" as const, isReachable: true, published: 0, lagBytes: 0 };
const figures = { decoder: undefined, isOwn: true, received: 0, lagMs: 0 };
const mib = 1024 * 1024;

it("has trouble while changes are late, or while a reader keeps much of the log", () => {
  expect(realtimeChecks(figures, 256 * mib)).toEqual({ changes: { state: "ok" } });
  expect(realtimeChecks({ ...figures, lagMs: 10_000 }, 0)).toEqual({ changes: { state: "ok" } });
  const detail = "changes are 25 s late";
  expect(realtimeChecks({ ...figures, lagMs: 25_000 }, 0).changes).toEqual({
    state: "warning",
    detail,
  });
  expect(realtimeChecks(figures, 300 * mib).changes).toEqual({
    state: "warning",
    detail: "a reader of the log has left 300 MiB unconfirmed",
  });
});

it("speaks of Redis where hosts share the log alone", () => {
  expect(realtimeChecks(figures, 0)).not.toHaveProperty("redis");
  expect(realtimeChecks({ ...figures, decoder }, 0).redis).toEqual({ state: "ok" });
  const away = { ...decoder, isReachable: false };
  expect(realtimeChecks({ ...figures, decoder: away }, 0).redis).toEqual({
    state: "warning",
    detail: "Redis gives no answer",
  });
});
