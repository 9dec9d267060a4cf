import { Hono } from "hono";
import type { HostContext } from "./context.ts";

/** `/healthz`: the process answers. `/readyz`: the database does too. */
export function health(context: HostContext): Hono {
  const app = new Hono();
  app.get("/healthz", (c) => c.json({ status: "ok" }));
  app.get("/readyz", async (c) => {
    try {
      await context.db.admin.query("select 1");
      return c.json({ status: "ready" });
    } catch {
      return c.json({ status: "database unavailable" }, 503);
    }
  });
  return app;
}
