// Answers `/healthz` and `/readyz`, which monitoring and load balancers poll.

import { Hono } from "hono";
import type { HostContext } from "./context.ts";

/** How long a readiness result is cached: the route has no rate limit. */
const readinessCacheMs = 1000;
/** A database that takes longer does not answer, as one that is stopped, or whose machine swaps. */
const longestAnswerMs = 5000;

/** Checks whether the database responds: all callers share one query, at most once a second. */
function createReadinessCheck({ db }: HostContext): () => Promise<boolean> {
  let result: Promise<boolean> | undefined;
  let validUntilMs = 0;
  const inTime = async (answer: Promise<boolean>): Promise<boolean> => {
    const late = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => late.resolve(false), longestAnswerMs);
    return await Promise.race([answer, late.promise]).finally(() => clearTimeout(timer));
  };
  return async () => {
    if (result !== undefined && performance.now() < validUntilMs) return await inTime(result);
    // No second query while one is running.
    validUntilMs = Number.POSITIVE_INFINITY;
    result = db.lookups
      .query("select 1")
      .then(() => true)
      .catch(() => false)
      .finally(() => {
        validUntilMs = performance.now() + readinessCacheMs;
      });
    return await inTime(result);
  };
}

/** What the health routes tell besides what they find out. */
export interface HealthReport {
  /** Why the database server is away, by the watch over it; undefined while it is there. */
  readonly outage: () => string | undefined;
  /** Failures since the last backup that was made. */
  readonly failedBackups: () => number;
}

/**
 * `/healthz`: the process responds, and its database server is there. `/readyz`: the database answers a query; `backups` says when
 * the last scheduled one failed, which is no reason to send members elsewhere.
 */
export function health(context: HostContext, { outage, failedBackups }: HealthReport): Hono {
  const app = new Hono();
  const isReady = createReadinessCheck(context);
  app.get("/healthz", (c) => {
    const reason = outage();
    return reason === undefined
      ? c.json({ status: "ok" })
      : c.json({ status: "database unavailable", reason }, 503);
  });
  app.get("/readyz", async (c) => {
    const reason = outage();
    return reason === undefined && (await isReady())
      ? c.json({ status: "ready", ...(failedBackups() > 0 && { backups: "failing" }) })
      : c.json({ status: "database unavailable", ...(reason !== undefined && { reason }) }, 503);
  });
  return app;
}
