import { expect, it } from "vitest";
import { trafficProblems } from "./redis-traffic.ts";

const phase = { said: 300, lost: 0, lostForMs: 0, medianMs: 4, slowestTwentiethMs: 9 };
const gap = { ...phase, lost: 280, lostForMs: 12_000 };
const fine = {
  broadcasts: { "with Redis": phase, "without Redis": gap, "Redis is back": gap },
  doubled: 0,
  loggedWithRedis: 0,
  falseLeaves: 0,
  shownMs: 10,
  goneMs: 12_000,
};

it("lets broadcasts be lost for twelve seconds after Redis is gone or back, and never with it", () => {
  expect(trafficProblems(fine)).toEqual([]);
  const steady = { ...phase, lost: 1, medianMs: 51 };
  const late = { ...gap, lostForMs: 12_001 };
  const broadcasts = { "with Redis": steady, "without Redis": late, "Redis is back": late };
  expect(trafficProblems({ ...fine, broadcasts })).toEqual([
    "1 broadcasts were lost with Redis",
    "a broadcast took 51 ms",
    "without Redis: broadcasts were lost for too long",
    "Redis is back: broadcasts were lost for too long",
  ]);
});

it("lets no broadcast come twice or go through the log with Redis, and no member be shown wrongly", () => {
  const wrong = { doubled: 1, loggedWithRedis: 2, falseLeaves: 3, shownMs: 12_001 };
  expect(trafficProblems({ ...fine, ...wrong })).toEqual([
    "1 broadcasts came twice",
    "2 envelopes in the log",
    "3 members were shown as gone",
    "a presence was late",
  ]);
});
