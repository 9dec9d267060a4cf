import { describe, expect, it, vi } from "vitest";
import { createManualClock } from "@/lib/testing/manual-clock.ts";
import {
  automaticRetryCount,
  loadSubscription,
  manualRetryCount,
  type SubscriptionLoad,
} from "./load-subscription.ts";
import type { Subscription } from "./subscription.ts";

const active = { status: "active" } as Subscription;
const patient = { retries: manualRetryCount, retryWhenMissing: true };

/**
 * Asks a server that answers in this order, the last answer for ever, and notes when it was asked.
 */
function ask(answers: readonly (Subscription | null | Error)[], how: SubscriptionLoad) {
  const clock = createManualClock();
  const times: number[] = [];
  const question = vi.fn(() => {
    times.push(clock.now());
    const answer = answers[Math.min(times.length, answers.length) - 1] ?? null;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  });
  return { clock, times, result: loadSubscription(question, clock, how) };
}

describe("asking for a subscription", () => {
  it("returns an existing subscription at once", async () => {
    const { result, times } = ask([active], {
      retries: automaticRetryCount,
      retryWhenMissing: false,
    });
    expect(await result).toBe(active);
    expect(times).toEqual([0]);
  });

  it("retries three times automatically, with delays growing from 2 s by half", async () => {
    const how = { retries: automaticRetryCount, retryWhenMissing: false };
    const { clock, result, times } = ask([new Error("down")], how);
    const ended = expect(result).rejects.toThrow("down");
    await clock.advance(60_000);
    await ended;
    expect(times).toEqual([0, 2000, 5000, 9500]);
  });

  it("retries five times on a manual refresh, with delays up to 8 s", async () => {
    const { clock, result, times } = ask([null], patient);
    await clock.advance(60_000);
    expect(await result).toBeNull();
    expect(times).toEqual([0, 2000, 5000, 9500, 16_250, 24_250]);
  });

  it("stops as soon as a subscription is found", async () => {
    const { clock, result, times } = ask([null, new Error("down"), active], patient);
    await clock.advance(60_000);
    expect(await result).toBe(active);
    expect(times).toHaveLength(3);
  });

  it("accepts a missing subscription unless told to wait for one", async () => {
    const { result, times } = ask([null], {
      retries: automaticRetryCount,
      retryWhenMissing: false,
    });
    expect(await result).toBeNull();
    expect(times).toHaveLength(1);
  });
});
