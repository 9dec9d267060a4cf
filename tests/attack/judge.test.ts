import { expect, test } from "vitest";
import { MEASURES, type Experience } from "./honest.ts";
import { faultsOf, memoryBudget, type AttackResult } from "./judge.ts";
import { megabytesOf } from "./product.ts";

const times = [1];
/** A run in which nothing went wrong. */
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
  experience: {
    times: Object.fromEntries(MEASURES.map((measure) => [measure, times])) as Experience["times"],
    failures: {},
  },
  memory: { host: memoryBudget.host, postgres: memoryBudget.postgres },
  recoveryMs: 1,
  stayed: true,
};

test.each([0, Number.NaN])("memory that could not be read (%s) is a fault", (unread) => {
  expect(faultsOf(calm)).toEqual([]);
  expect(faultsOf({ ...calm, memory: { ...calm.memory, postgres: unread } })).toEqual([
    "the memory of postgres could not be read",
  ]);
});

test("where /proc cannot be read, no amount of memory is made up", () => {
  expect(megabytesOf(process.pid, "/nowhere")).toBeNaN();
});
