import { describe, expect, it, vi } from "vitest";
import { createManualClock } from "@/lib/testing/manual-clock.ts";
import { automaticRetryCount, loadSubscription, manualRetryCount } from "./load-subscription.ts";
import type { Subscription } from "./subscription.ts";

const active = { status: "active" } as Subscription;

/**
 * Asks a server that answers in this order, the last answer for ever, and notes when it was asked.
 */
function ask(answers: readonly (Subscription | null | Error)[], retries: number) {
  const clock = createManualClock();
  const times: number[] = [];
  const missing: number[] = [];
  const question = vi.fn(() => {
    times.push(clock.now());
    const answer = answers[Math.min(times.length, answers.length) - 1] ?? null;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  });
  const onMissing = () => void missing.push(clock.now());
  const result = loadSubscription(question, clock, { retries, onMissing });
  return { clock, times, missing, result };
}

describe("asking for a subscription", () => {
  it("returns an existing subscription at once", async () => {
    const { result, times, missing } = ask([active], automaticRetryCount);
    expect(await result).toBe(active);
    expect(times).toEqual([0]);
    expect(missing).toEqual([]);
  });

  it.each([
    ["an error", new Error("down")],
    ["no subscription", null],
  ])(
    "retries %s three times automatically, with delays growing from 2 s by half",
    async (_name, answer) => {
      const { clock, result, times } = ask([answer], automaticRetryCount);
      const ended =
        answer === null
          ? expect(result).resolves.toBeNull()
          : expect(result).rejects.toThrow("down");
      await clock.advance(60_000);
      await ended;
      expect(times).toEqual([0, 2000, 5000, 9500]);
    },
  );

  it("retries five times on a manual refresh, with delays up to 8 s", async () => {
    const { clock, result, times } = ask([null], manualRetryCount);
    await clock.advance(60_000);
    expect(await result).toBeNull();
    expect(times).toEqual([0, 2000, 5000, 9500, 16_250, 24_250]);
  });

  it("stops as soon as a subscription is found", async () => {
    const { clock, result, times } = ask([null, new Error("down"), active], manualRetryCount);
    await clock.advance(60_000);
    expect(await result).toBe(active);
    expect(times).toHaveLength(3);
  });

  it("says at once that there is none while the retries go on", async () => {
    const { clock, result, missing } = ask([null, new Error("down"), null], automaticRetryCount);
    await clock.advance(0);
    expect(missing).toEqual([0]);
    await clock.advance(60_000);
    expect(await result).toBeNull();
    expect(missing).toEqual([0, 5000]);
  });
});
