import { afterAll, beforeAll, expect, test } from "vitest";
import { openRaw, type RawClient } from "basehost/testing";
import { startLimitedHost, type LimitedHost } from "./limited-host.ts";

const few = {
  anonymous: { maxConcurrent: 2, maxQueued: 1 },
  allAnonymous: { maxConcurrent: 4, maxQueued: 1 },
};
const opened: RawClient[] = [];

let host: LimitedHost;
beforeAll(async () => {
  host = await startLimitedHost({
    requests: {
      services: { auth: few, rest: few, functions: few, storage: few },
      maxWaitMs: 3000,
      anonymousBodyTimeoutMs: 60_000,
    },
  });
});
afterAll(async () => {
  for (const { socket } of opened) socket.destroy();
  await host.stop();
});

/** Sends the head of a request and half of its body, from an address of its own. */
async function sendSlowly(path: string, at: number, host: LimitedHost): Promise<RawClient> {
  const client = await openRaw(host.running.url);
  opened.push(client);
  client.send(
    `POST ${path} HTTP/1.1\r\nhost: a\r\napikey: ${host.running.anonKey}\r\nx-forwarded-for: 203.0.113.${at}\r\n` +
      'content-type: application/json\r\ncontent-length: 4000\r\n\r\n{"half":"',
  );
  return client;
}

test.each([
  ["auth", "/auth/v1/recover", 400],
  ["rest", "/rest/v1/rpc/no_such_function", 404],
  ["functions", "/functions/v1/hello", 200],
])("a slowly sent body holds no slot of %s", async (_service, path, status) => {
  for (let at = 0; at < 8; at += 1) await sendSlowly(path, at, host);
  // They have all been heard when an answer to a later request has come.
  await host.ask("/healthz", "198.51.100.1");
  const answer = await host.ask(path, "198.51.100.1", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  expect(answer.status).toBe(status);
});

test("slow uploads delay other uploads only, never reads", async () => {
  for (let at = 0; at < 8; at += 1) await sendSlowly("/storage/v1/object/drop-box/a.txt", at, host);
  await host.ask("/healthz", "198.51.100.1");
  const upload = await host.ask("/storage/v1/object/drop-box/b.txt", "198.51.100.1", {
    method: "POST",
    body: "b",
  });
  expect(upload.status).toBe(503);
  const read = await host.ask("/storage/v1/object/public/no-bucket/c.txt", "198.51.100.1");
  expect([read.status, await read.json()]).toEqual([
    400,
    expect.objectContaining({ error: expect.stringMatching(/not.?found/i) }),
  ]);
});

test.each([
  ["auth", "/auth/v1/recover", 504, "request_timeout"],
  ["rest", "/rest/v1/rpc/no_such_function", 408, "request_timeout"],
  ["functions", "/functions/v1/hello", 408, "request_timeout"],
])("%s rejects an anonymous body that is sent too slowly", async (_service, path, status, code) => {
  const hurried = await startLimitedHost({ requests: { anonymousBodyTimeoutMs: 200 } });
  try {
    const client = await sendSlowly(path, 1, hurried);
    await client.answered;
    expect(client.received()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*"${code}"`));
  } finally {
    await hurried.stop();
  }
});
