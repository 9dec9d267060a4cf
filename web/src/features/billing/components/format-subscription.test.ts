import { describe, expect, it } from "vitest";
import { formatEpochDay, statusNote, formatStatus } from "./format-subscription.ts";

describe("a subscription in words", () => {
  it("names every status, also one it does not know", () => {
    expect(formatStatus("past_due")).toBe("Past due");
    expect(formatStatus("brand_new")).toBe("brand new");
  });

  it("has a note only where something is to be done", () => {
    expect(statusNote("active")).toBeNull();
    expect(statusNote("trialing")).toBeNull();
    expect(statusNote("incomplete")).toMatch(/still processing or requires further action/);
    expect(statusNote("past_due")).toMatch(/payment failed.*update your payment method/i);
  });

  it("says what a refund or a dispute did, and what to do next", () => {
    expect(statusNote("paused", "disputed")).toMatch(/on hold until.*ask your bank to withdraw/);
    expect(statusNote("canceled", "dispute_lost")).toMatch(/reversed a payment.*Choose a plan/);
    expect(statusNote("canceled", "refunded")).toMatch(/was refunded.*Choose a plan/);
    expect(formatStatus("paused", "disputed")).toBe("On hold");
    expect(formatStatus("canceled", "refunded")).toBe("Cancelled");
  });

  it("reads epoch seconds as a day", () => {
    expect(formatEpochDay(1_767_268_800)).toBe("1 January 2026");
  });
});
