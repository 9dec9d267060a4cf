import { expect, test } from "vitest";
import { parseDuration } from "./duration.ts";

test.each([
  ["60s", 60_000],
  ["1m", 60_000],
  ["1h30m", 5_400_000],
  ["1.5h", 5_400_000],
  ["250ms", 250],
  ["0", 0],
  ["-5m", -300_000],
  ["100y", undefined],
  ["24", undefined],
  ["", undefined],
  ["1h ", undefined],
  ["9999999999h", undefined],
  ["1h".repeat(40), undefined],
])("%j is %j milliseconds", (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});
