// Sends spans to an OpenTelemetry collector, where one is named.

import { context, trace } from "@opentelemetry/api";

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
