import { describe, expect, it } from "vitest";
import { parseIncome } from "./income.ts";

describe("an income that was typed", () => {
  it.for([
    ["1200", 120_000],
    [" £1,200 ", 120_000],
    ["0", 0],
    ["1000000", 100_000_000],
    ["1000001", null],
    ["", null],
    ["12.50", null],
    ["-5", null],
    ["a lot", null],
  ] as const)("%s is %s pence", ([typed, pence]) => {
    expect(parseIncome(typed)).toBe(pence);
  });
});
