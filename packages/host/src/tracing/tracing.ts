// Sends spans to an OpenTelemetry collector, where one is named.

import { context, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { MiddlewareHandler } from "hono";

/** Where traces go, by the names that OpenTelemetry gives these variables. */
export interface TracingSettings {
  /** Address of the collector, without `/v1/traces`. */
  readonly endpoint: string;
  /** Headers of each call to it, such as a key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** The part of all requests that is recorded, from 0 to 1. */
  readonly ratio: number;
}

/** Traces of this process. */
export interface Tracing {
  /** Sends what waits. A collector that does not answer holds the stop for two seconds at most. */
  readonly stop: () => Promise<void>;
}

const longestSendMs = 2000;

/**
 * Begins to send spans. One host of a process can. What makes spans uses `@opentelemetry/api` alone, which does nothing until then; the
 * rest of OpenTelemetry is loaded only here.
 */
export async function openTracing({
  endpoint,
  headers,
  serviceName,
  ratio,
}: TracingSettings): Promise<Tracing> {
  const [
    sdk,
    { OTLPTraceExporter },
    { resourceFromAttributes },
    { AsyncLocalStorageContextManager },
  ] = await Promise.all([
    import("@opentelemetry/sdk-trace"),
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/resources"),
    import("@opentelemetry/context-async-hooks"),
  ]);
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, "")}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: longestSendMs,
  });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ "service.name": serviceName }),
    sampler: new sdk.TraceIdRatioBasedSampler(ratio),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  return {
    stop: async () => {
      await provider.shutdown().catch(() => undefined);
      trace.disable();
      context.disable();
    },
  };
}

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
