import { randomUUID } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import type { Logger } from "pino";

declare module "hono" {
  interface ContextVariableMap {
    /** What the response carries as `x-request-id`, and log lines as `id`. */
    requestId: string;
  }
}

const requestIdPattern = /^[\w-]{8,64}$/;

/** Logs one JSON line per request, with the id that the response carries too. Query strings are omitted: they may hold tokens. */
export function requestLog(log: Logger): MiddlewareHandler {
  return async (c, next) => {
    const given = c.req.header("x-request-id");
    const id = given !== undefined && requestIdPattern.test(given) ? given : randomUUID();
    c.set("requestId", id);
    const startedAt = performance.now();
    await next();
    c.res.headers.set("x-request-id", id);
    log.debug({
      id,
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      ms: Math.round((performance.now() - startedAt) * 10) / 10,
    });
  };
}
