import { afterAll, beforeAll, expect, test } from "vitest";
import { openRaw, type RawClient } from "../../../packages/host/src/testing/raw-client.ts";
import { startLimitedHost, type LimitedHost } from "./limited-host.ts";

const few = { anonymous: { maxConcurrent: 2 }, allAnonymous: { maxConcurrent: 4 } };
const opened: RawClient[] = [];

let host: LimitedHost;
beforeAll(async () => {
  host = await startLimitedHost({
    requests: { services: { auth: few, rest: few, functions: few }, maxWaitMs: 3000 },
  });
});
afterAll(async () => {
  for (const { socket } of opened) socket.destroy();
  await host.stop();
});

test.each([
  ["auth", "/auth/v1/recover", 400],
  ["rest", "/rest/v1/rpc/no_such_function", 404],
])("a slowly sent body holds no slot of %s", async (_service, path, status) => {
  for (let at = 0; at < 8; at += 1) {
    const client = await openRaw(host.running.url);
    opened.push(client);
    client.send(
      `POST ${path} HTTP/1.1\r\nhost: a\r\napikey: ${host.running.anonKey}\r\nx-forwarded-for: 203.0.113.${at}\r\n` +
        'content-type: application/json\r\ncontent-length: 4000\r\n\r\n{"half":"',
    );
  }
  // Once a later request is answered, the server has seen all of them.
  await host.ask("/healthz", "198.51.100.1");
  const answer = await host.ask(path, "198.51.100.1", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  expect(answer.status).toBe(status);
});
