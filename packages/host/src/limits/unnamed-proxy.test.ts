import { Hono } from "hono";
import { expect, test } from "vitest";
import { warnOfUnnamedProxy } from "./unnamed-proxy.ts";

/** Warnings after requests from these sockets, each with the header of a proxy unless `headers` says otherwise. */
async function warnings(
  sockets: readonly string[],
  trustedProxy?: string,
  headers: Record<string, string> = { "x-forwarded-for": "203.0.113.9" },
): Promise<string[]> {
  const logged: string[] = [];
  const log = { warn: (_facts: unknown, text: string) => void logged.push(text) };
  const app = new Hono().use(warnOfUnnamedProxy(log as never, trustedProxy));
  app.get("/", (c) => c.text("ok"));
  for (const remoteAddress of sockets) {
    const env = { incoming: { socket: { remoteAddress, remotePort: 1, remoteFamily: "IPv4" } } };
    expect((await app.request("/", { headers }, env)).status).toBe(200);
  }
  return logged;
}

test("a proxy on this machine that TRUSTED_PROXY does not name is reported once", async () => {
  const logged = await warnings(["127.0.0.1", "::1", "127.0.0.1"]);
  expect(logged).toEqual([expect.stringContaining("Set TRUSTED_PROXY to its address")]);
});

test("a named proxy, another machine's header and a plain request cause no warning", async () => {
  expect(await warnings(["127.0.0.1"], "127.0.0.1")).toEqual([]);
  expect(await warnings(["203.0.113.5"])).toEqual([]);
  expect(await warnings(["127.0.0.1"], undefined, {})).toEqual([]);
});
