import { waitFor, type Clock } from "@/lib/clock.ts";
import type { Subscription } from "./subscription.ts";

export const automaticRetryCount = 3;
export const manualRetryCount = 5;
export const firstRetryDelayMs = 2000;
export const retryDelayGrowth = 1.5;
export const maxRetryDelayMs = 8000;

export interface SubscriptionLoad {
  readonly retries: number;
  /**
   * Called with each answer "no subscription" that will be retried, so that new members see the plans at once while
   * the retries go on.
   */
  readonly onMissing?: () => void;
  /** Ends the retries once nobody waits for the answer. */
  readonly signal?: AbortSignal;
}

/**
 * Asks for a subscription, again after 2 s, 3 s, 4.5 s … (at most 8 s) while there is none, because the webhook may be
 * late. Throws the last error, and that of the signal.
 */
export async function loadSubscription(
  ask: () => Promise<Subscription | null>,
  clock: Clock,
  { retries, onMissing, signal }: SubscriptionLoad,
): Promise<Subscription | null> {
  let wait = firstRetryDelayMs;
  for (let attempt = 0; ; attempt += 1) {
    const last = attempt >= retries;
    try {
      const found = await ask();
      if (found !== null || last) return found;
      onMissing?.();
    } catch (error) {
      if (last) throw error;
    }
    await waitFor(clock, wait);
    signal?.throwIfAborted();
    wait = Math.min(wait * retryDelayGrowth, maxRetryDelayMs);
  }
}
