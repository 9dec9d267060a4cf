import { Hono } from "hono";
import type { HostContext } from "./context.ts";

/** An answer about the database holds for this long; anyone may ask without a budget. */
const readinessHoldsMs = 1000;

/** Says whether the database answers. One question at a time is asked for everyone, at most once a second. */
function readinessOf({ db }: HostContext): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined;
  let holdsUntilMs = 0;
  return async () => {
    if (answer !== undefined && performance.now() < holdsUntilMs) return await answer;
    // While the question is under way, nobody asks another.
    holdsUntilMs = Number.POSITIVE_INFINITY;
    answer = db.lookups
      .query("select 1")
      .then(() => true)
      .catch(() => false)
      .finally(() => {
        holdsUntilMs = performance.now() + readinessHoldsMs;
      });
    return await answer;
  };
}

/** `/healthz`: the process answers. `/readyz`: the database does too. */
export function health(context: HostContext): Hono {
  const app = new Hono();
  const isReady = readinessOf(context);
  app.get("/healthz", (c) => c.json({ status: "ok" }));
  app.get("/readyz", async (c) =>
    (await isReady())
      ? c.json({ status: "ready" })
      : c.json({ status: "database unavailable" }, 503),
  );
  return app;
}
