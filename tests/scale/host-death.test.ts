import { expect, it } from "vitest";
import { problemsOf } from "./host-death.ts";

const fine = {
  requests: 5000,
  failed: 50,
  kills: 3,
  inserted: 300,
  missed: 0,
  doubled: 0,
  presenceMs: 25_000,
  caughtUpMs: 30_000,
};

it("lets one request of a hundred fail, and no row be missed or told twice", () => {
  expect(problemsOf(fine)).toEqual([]);
  expect(problemsOf({ ...fine, failed: 51 })).toEqual(["51 of 5000 requests failed"]);
  expect(
    problemsOf({ ...fine, missed: 1, doubled: 2, presenceMs: 30_001, caughtUpMs: 30_001 }),
  ).toEqual([
    "1 rows were missed",
    "2 changes were told twice",
    "a presence stayed for 30001 ms",
    "a listener was behind for 30001 ms",
  ]);
});

it("shows nothing when nothing happened", () => {
  expect(problemsOf({ ...fine, requests: 0, failed: 0, kills: 0, inserted: 0 })).toEqual([
    "no request was made",
    "no host was lost",
    "no row was written",
  ]);
});
