import { expect, test } from "vitest";
import { nextPauseMs } from "./restart-pause.mjs";

test("the pause before a restart doubles from a second to half a minute", () => {
  const pauses: number[] = [];
  let pauseMs = 0;
  for (let index = 0; index < 7; index += 1) {
    pauseMs = nextPauseMs(pauseMs, 59_999);
    pauses.push(pauseMs);
  }
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});

test("the pause is a second again after a minute of health", () => {
  expect(nextPauseMs(30_000, 60_000)).toBe(1000);
});
