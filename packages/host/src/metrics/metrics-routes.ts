// Serves `/metrics`: on a port of its own for this machine, or beside the site with a token.

import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { isLoopbackHost, type HostConfig } from "../config.ts";
import { isEqualConstantTime } from "../constant-time.ts";
import { closeServer, listen } from "../http/listen.ts";
import { healthRoutes, type Health } from "../health/health.ts";
import type { Metrics } from "./metrics.ts";

/** No two scrapes at a time, and at most one a second: each asks the database. */
const cacheMs = 1000;

function cached(read: () => Promise<string>): () => Promise<string> {
  let result: Promise<string> | undefined;
  let validUntilMs = 0;
  return async () => {
    if (result === undefined || performance.now() >= validUntilMs) {
      validUntilMs = Number.POSITIVE_INFINITY;
      result = read().finally(() => (validUntilMs = performance.now() + cacheMs));
    }
    return await result;
  };
}

/** True when a request carries the token of monitoring; never when there is none. */
export function hasToken(request: Request, token: string | undefined): boolean {
  const given = request.headers.get("authorization") ?? "";
  return token !== undefined && isEqualConstantTime(given, `Bearer ${token}`);
}

/**
 * `GET /metrics`. For a request without the token the address is as any other that does not exist.
 * @param token undefined on the port of its own, which only this machine reaches.
 */
export function metricsRoutes(metrics: Metrics, token?: string): Hono {
  const app = new Hono();
  const read = cached(metrics.read);
  app.get("/metrics", async (c, next) => {
    if (token !== undefined && !hasToken(c.req.raw, token)) return await next();
    return c.body(await read(), 200, {
      "content-type": metrics.contentType,
      "cache-control": "no-store",
    });
  });
  return app;
}

/** The server of the port of its own. */
export interface MetricsServer {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/**
 * Listens on METRICS_PORT, on this machine alone, for `/metrics` and the health with all its parts. Resolves with undefined without one.
 * @throws {BootError} when the port is taken.
 */
export async function listenForMetrics(
  metrics: Metrics,
  health: Health,
  { metricsPort }: Pick<HostConfig, "metricsPort">,
): Promise<MetricsServer | undefined> {
  if (metricsPort === undefined) return undefined;
  const app = new Hono();
  // A page in the operator's browser can point a name of its own at this machine.
  app.use(async (c, next) => {
    if (!isLoopbackHost(new URL(c.req.url).hostname)) return c.text("Only for this machine.", 403);
    return await next();
  });
  app.route("/", metricsRoutes(metrics));
  app.route(
    "/",
    healthRoutes(health, () => true),
  );
  const answer = getRequestListener((request) => app.fetch(request), {
    overrideGlobalObjects: false,
  });
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  const port = await listen(server, metricsPort, "127.0.0.1", "METRICS_PORT");
  return { port, stop: async () => await closeServer(server) };
}
