import { describe, expect, it, vi } from "vitest";
import { createManualClock } from "@/lib/manual-clock.ts";
import {
  automaticRetryCount,
  loadSubscription,
  manualRetryCount,
  type SubscriptionLoad,
} from "./load-subscription.ts";
import type { Subscription } from "./subscription.ts";

const active = { status: "active" } as Subscription;
const patient = { retries: manualRetryCount, retryWhenMissing: true };

/** Asks a server that answers in this order, the last answer for ever, and notes when it was asked. */
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
  it("gives what is there at once", async () => {
    const { result, times } = ask([active], {
      retries: automaticRetryCount,
      retryWhenMissing: false,
    });
    expect(await result).toBe(active);
    expect(times).toEqual([0]);
  });

  it("repeats three times by itself, waiting 2 s and half as long again each time", async () => {
    const how = { retries: automaticRetryCount, retryWhenMissing: false };
    const { clock, result, times } = ask([new Error("down")], how);
    const ended = expect(result).rejects.toThrow("down");
    await clock.advance(60_000);
    await ended;
    expect(times).toEqual([0, 2000, 5000, 9500]);
  });

  it("repeats five times when the member asks, waiting 8 s at the most", async () => {
    const { clock, result, times } = ask([null], patient);
    await clock.advance(60_000);
    expect(await result).toBeNull();
    expect(times).toEqual([0, 2000, 5000, 9500, 16_250, 24_250]);
  });

  it("stops as soon as there is one", async () => {
    const { clock, result, times } = ask([null, new Error("down"), active], patient);
    await clock.advance(60_000);
    expect(await result).toBe(active);
    expect(times).toHaveLength(3);
  });

  it("takes none for an answer unless somebody waits for one", async () => {
    const { result, times } = ask([null], {
      retries: automaticRetryCount,
      retryWhenMissing: false,
    });
    expect(await result).toBeNull();
    expect(times).toHaveLength(1);
  });
});
