import { expect, it } from "vitest";
import { decoderProblems } from "./decoder-loss.ts";

const fine = {
  trouble: "killed",
  inserted: 900,
  doubled: 0,
  missed: 0,
  gaps: 0,
  longestMs: 10_000,
} as const;

it("lets the lease move in ten seconds, without a lost or doubled change or a gap", () => {
  expect(decoderProblems(fine)).toEqual([]);
  const wrong = { doubled: 1, missed: 2, gaps: 3, longestMs: 10_001 };
  expect(decoderProblems({ ...fine, ...wrong })).toEqual([
    "killed: 1 changes were told twice",
    "killed: 2 changes were missed",
    "killed: 3 gaps",
    "killed: no change for 10001 ms",
  ]);
});

it("lets listeners be told of gaps while Redis is stopped, and read what they missed", () => {
  const stopped = { ...fine, trouble: "stopped Redis", gaps: 3, longestMs: 20_000 } as const;
  expect(decoderProblems(stopped)).toEqual([]);
  expect(decoderProblems({ ...stopped, missed: 1 })).toHaveLength(1);
});

it("shows nothing when nothing was written", () => {
  expect(decoderProblems({ ...fine, inserted: 0 })).toEqual(["killed: no row was written"]);
});
