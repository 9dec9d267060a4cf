import { setTimeout as sleep } from "node:timers/promises";

/**
 * Runs `work` and settles after at least `ms` milliseconds, whether it succeeds or throws, so that the response time
 * does not reveal whether an account exists.
 */
export async function withMinimumDuration<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const [outcome] = await Promise.allSettled([work(), sleep(ms)]);
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}

/** Longer than it takes to create a link on a busy machine. */
export const linkResponseMs = 60;
