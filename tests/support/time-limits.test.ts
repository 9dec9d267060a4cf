import { describe, expect, it } from "vitest";
import { hookTimeoutMs, readTimeoutFactor, testTimeoutMs, timeLimitMs } from "./time-limits.ts";

describe("the factor of the time limits", () => {
  it("is 2 unless the environment sets another one", () => {
    expect(readTimeoutFactor({})).toBe(2);
    expect(readTimeoutFactor({ TEST_TIMEOUT_FACTOR: "" })).toBe(2);
    expect(readTimeoutFactor({ TEST_TIMEOUT_FACTOR: "0.5" })).toBe(0.5);
    expect(readTimeoutFactor({ TEST_TIMEOUT_FACTOR: "10" })).toBe(10);
  });

  it.each(["0", "-1", "fast", "Infinity"])("cannot be %s", (text) => {
    expect(() => readTimeoutFactor({ TEST_TIMEOUT_FACTOR: text })).toThrow("positive number");
  });

  it("applies to every limit", () => {
    const factor = readTimeoutFactor(process.env);
    expect(timeLimitMs(90)).toBe(90_000 * factor);
    expect(testTimeoutMs).toBe(60_000 * factor);
    expect(hookTimeoutMs).toBe(120_000 * factor);
  });
});
