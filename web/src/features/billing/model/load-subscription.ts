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
   * Whether to retry when there is no subscription: after a payment or on Refresh Status, because the webhook may be
   * late. New members would otherwise wait through the retries before they see the plans.
   */
  readonly retryWhenMissing: boolean;
}

/** Asks for a subscription, again after 2 s, 3 s, 4.5 s … (at most 8 s). Throws the last error. */
export async function loadSubscription(
  ask: () => Promise<Subscription | null>,
  clock: Clock,
  { retries, retryWhenMissing }: SubscriptionLoad,
): Promise<Subscription | null> {
  let wait = firstRetryDelayMs;
  for (let attempt = 0; ; attempt += 1) {
    const last = attempt >= retries;
    try {
      const found = await ask();
      if (found !== null || last || !retryWhenMissing) return found;
    } catch (error) {
      if (last) throw error;
    }
    await waitFor(clock, wait);
    wait = Math.min(wait * retryDelayGrowth, maxRetryDelayMs);
  }
}
