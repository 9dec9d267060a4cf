import { Hono } from "hono";
import type { HostContext } from "./context.ts";

/** How long a readiness result is cached: the route has no rate limit. */
const readinessCacheMs = 1000;

/** Checks whether the database responds: all callers share one query, at most once a second. */
function createReadinessCheck({ db }: HostContext): () => Promise<boolean> {
  let result: Promise<boolean> | undefined;
  let validUntilMs = 0;
  return async () => {
    if (result !== undefined && performance.now() < validUntilMs) return await result;
    // No second query while one is running.
    validUntilMs = Number.POSITIVE_INFINITY;
    result = db.lookups
      .query("select 1")
      .then(() => true)
      .catch(() => false)
      .finally(() => {
        validUntilMs = performance.now() + readinessCacheMs;
      });
    return await result;
  };
}

/**
 * `/healthz`: the process responds. `/readyz`: the database responds too; `backups` says when the last scheduled one failed, which is
 * no reason to send members elsewhere.
 * @param failedBackups failures since the last backup that was made
 */
export function health(context: HostContext, failedBackups: () => number): Hono {
  const app = new Hono();
  const isReady = createReadinessCheck(context);
  app.get("/healthz", (c) => c.json({ status: "ok" }));
  app.get("/readyz", async (c) =>
    (await isReady())
      ? c.json({ status: "ready", ...(failedBackups() > 0 && { backups: "failing" }) })
      : c.json({ status: "database unavailable" }, 503),
  );
  return app;
}
