import { setTimeout as sleep } from "node:timers/promises";

/**
 * Runs `work` and answers no sooner than after `ms` milliseconds, whether it succeeds or throws:
 * how long an answer takes must not tell whether an account exists.
 */
export async function atLeast<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const [outcome] = await Promise.allSettled([work(), sleep(ms)]);
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}

/** Longer than making a link takes on a busy machine. */
export const LINK_ANSWER_MS = 60;
