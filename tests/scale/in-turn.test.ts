import { expect, it } from "vitest";
import { summaryOf } from "./in-turn.ts";

const redis = { name: "redis", seconds: 270.4, figures: "3 hosts lost", isPassed: true };
const nginx = { name: "nginx", seconds: 2.2, figures: undefined, isPassed: false };

it("says of each part how it went, and how long all of it took", () => {
  expect(summaryOf([redis, redis])).toEqual({
    text: `
redis, 270 s, passed: 3 hosts lost
redis, 270 s, passed: 3 hosts lost
9 min 01 s: 2 passed, 0 failed
`,
    code: 0,
  });
});

it.each([
  [59.6, "1 min 00 s"],
  [899.7, "15 min 00 s"],
  [61.4, "1 min 01 s"],
])("says %d seconds as %s", (seconds, text) => {
  expect(summaryOf([{ ...redis, seconds }]).text).toContain(`\n${text}: 1 passed, 0 failed\n`);
});

it("fails when a part failed, also one that could not begin", () => {
  expect(summaryOf([redis, nginx])).toEqual({
    text: `
redis, 270 s, passed: 3 hosts lost
nginx, 2 s, failed
4 min 33 s: 1 passed, 1 failed
`,
    code: 1,
  });
});

it("fails when there was no part", () => {
  expect(summaryOf([]).code).toBe(1);
});
