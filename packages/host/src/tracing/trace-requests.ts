import { SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { MiddlewareHandler } from "hono";

/**
 * Begins a trace with every request. Routes stand in it without names of members or files, and a client's own `traceparent` is
 * not followed: with it a stranger could have all of their requests recorded, or write into another's trace.
 * @param routeOf a path's part that has few values
 */
export function traceRequests(routeOf: (path: string) => string): MiddlewareHandler {
  return async (c, next) => {
    const route = routeOf(c.req.path);
    const attributes = {
      "http.request.method": c.req.method,
      "http.route": route,
      "request.id": c.get("requestId"),
    };
    const options = { kind: SpanKind.SERVER, attributes, root: true };
    await trace
      .getTracer("basehost")
      .startActiveSpan(`${c.req.method} ${route}`, options, async (span) => {
        try {
          await next();
          span.setAttribute("http.response.status_code", c.res.status);
          if (c.res.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        } finally {
          span.end();
        }
      });
  };
}
