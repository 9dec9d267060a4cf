import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import type { AddressInfo } from "node:net";
import { Hono } from "hono";
import { pino } from "pino";
import { afterEach, expect, it } from "vitest";
import { requestLog } from "../request-log.ts";
import { readTracingSettings } from "./tracing-settings.ts";
import { openTracing, traceRequests, type Tracing } from "./tracing.ts";
import { withSpan } from "./with-span.ts";

interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status: { readonly code?: number };
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
}

const close: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const each of close.splice(0)) await each();
});

/** A collector, and traces that go to it. */
async function open(ratio = 1) {
  const calls: { path: string; key: unknown; body: string }[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      calls.push({ path: request.url ?? "", key: request.headers["x-key"], body });
      response.end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const tracing: Tracing = await openTracing({
    endpoint: `http://127.0.0.1:${port}/`,
    headers: { "x-key": "k" },
    serviceName: "fourfold",
    ratio,
  });
  close.push(tracing.stop, () => void server.close());
  const app = new Hono()
    .use(requestLog(pino({ level: "silent" })))
    .use(traceRequests((path) => (path.startsWith("/rest/") ? "rest" : "site")))
    .get("/rest/v1/profiles", async (c) => {
      await withSpan("postgres transaction", {}, async () => await Promise.resolve());
      return c.text("rows");
    })
    .get("/rest/v1/broken", async (c) => {
      const refused = Object.assign(new Error("duplicate ada@example.com"), { code: "23505" });
      await withSpan("postgres transaction", {}, () => Promise.reject(refused)).catch(() => null);
      return c.text("no", 500);
    });
  const sent = async () => {
    await tracing.stop();
    return calls.flatMap(({ body }) => {
      const { resourceSpans } = JSON.parse(body) as {
        resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[];
      };
      return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
    });
  };
  return { app, calls, sent };
}

const named = (spans: readonly SentSpan[], name: string) =>
  spans.filter((each) => each.name === name);

it("sends a request and its transaction as one trace, under the name of the service", async () => {
  const { app, calls, sent } = await open();
  const traceparent = "00-11111111111111111111111111111111-2222222222222222-01";
  await app.request("/rest/v1/profiles?id=eq.7", { headers: { traceparent } });
  const spans = await sent();
  expect(calls.map(({ path, key }) => [path, key])).toEqual([["/v1/traces", "k"]]);
  expect(calls[0]?.body).toContain('"fourfold"');
  const [request] = named(spans, "GET rest");
  const [transaction] = named(spans, "postgres transaction");
  expect(transaction).toMatchObject({ traceId: request?.traceId, parentSpanId: request?.spanId });
  expect(request?.traceId).not.toBe("1".repeat(32));
  expect(request?.attributes).toContainEqual({
    key: "http.response.status_code",
    value: { intValue: 200 },
  });
});

it("says of an error its code, and never its words, the address or the query", async () => {
  const { app, calls, sent } = await open();
  await app.request("/rest/v1/broken?email=ada@example.com");
  const spans = await sent();
  const [failed] = named(spans, "postgres transaction");
  expect(failed?.status.code).toBe(2);
  expect(failed?.attributes).toContainEqual({ key: "error.type", value: { stringValue: "23505" } });
  expect(named(spans, "GET rest")[0]?.status.code).toBe(2);
  expect(JSON.stringify(calls)).not.toContain("ada@example.com");
});

it("records the part of requests that is asked for", async () => {
  const { app, sent } = await open(0);
  await app.request("/rest/v1/profiles");
  expect(await sent()).toEqual([]);
});

it("ends in time when the collector does not answer", async () => {
  const tracing = await openTracing({
    endpoint: "http://127.0.0.1:9",
    headers: {},
    serviceName: "fourfold",
    ratio: 1,
  });
  await withSpan("work", {}, async () => await Promise.resolve());
  await expect(tracing.stop()).resolves.toBeUndefined();
});

it("reads where traces go from the variables of OpenTelemetry", () => {
  const defaults = { OTEL_SERVICE_NAME: "basehost", OTEL_TRACES_SAMPLER_ARG: 1 };
  expect(readTracingSettings(defaults)).toBeUndefined();
  const given = {
    ...defaults,
    OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.example.org",
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc,x-team=a=b",
  };
  expect(readTracingSettings(given)).toEqual({
    endpoint: "https://collector.example.org",
    headers: { authorization: "Bearer abc", "x-team": "a=b" },
    serviceName: "basehost",
    ratio: 1,
  });
});
