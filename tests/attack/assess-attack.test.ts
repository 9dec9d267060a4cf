import { expect, test } from "vitest";
import { violationsOf, memoryBudget, type AttackResult } from "./assess-attack.ts";
import { measuredOperations, type ClientMetrics } from "./normal-members.ts";
import { megabytesOf } from "./product.ts";

const times = [1];
/** A result without violations. */
const calm: AttackResult = {
  kind: {
    name: "none",
    tries: "nothing",
    attemptsPerSecond: 1,
    run: async () => Promise.resolve(),
  },
  seconds: 1,
  slowness: 1,
  outcome: { clients: 1, attempts: 1, tally: { "200": 1 } },
  metrics: {
    times: Object.fromEntries(
      measuredOperations.map((measure) => [measure, times]),
    ) as ClientMetrics["times"],
    failures: {},
  },
  memory: { host: memoryBudget.host, postgres: memoryBudget.postgres },
  recoveryMs: 1,
  stayed: true,
};

test.each([0, Number.NaN])("reports memory that could not be read (%s)", (unread) => {
  expect(violationsOf(calm)).toEqual([]);
  expect(violationsOf({ ...calm, memory: { ...calm.memory, postgres: unread } })).toEqual([
    "the memory of postgres could not be read",
  ]);
});

test("returns NaN as memory where /proc cannot be read", () => {
  expect(megabytesOf(process.pid, "/nowhere")).toBeNaN();
});

test("judges many calls by their tail, and a few by the middle one", () => {
  const judged = (account: number[]) =>
    violationsOf({
      ...calm,
      metrics: { ...calm.metrics, times: { ...calm.metrics.times, account } },
    });
  const quick = (count: number) => Array.from({ length: count }, () => 1);
  expect(judged([...quick(18), 1001, 1001])).toEqual(["account: p95 1001 ms of 1000 ms"]);
  expect(judged([...quick(19), 1001])).toEqual([]);
  expect(judged([1, 3001, 1])).toEqual([]);
  expect(judged([1, 3001, 3001])).toEqual(["account: median 3001 ms of 3000 ms"]);
  expect(judged([])).toEqual(["account: median NaN ms of 3000 ms"]);
});
