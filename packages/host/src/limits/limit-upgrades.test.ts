import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { expect, test } from "vitest";
import { openRaw } from "../testing/raw-client.ts";
import { defaultLimits } from "./limits.ts";
import { limitUpgrade } from "./limit-upgrades.ts";
import { RequestLimiter } from "./request-limiter.ts";

test("a rejected socket that the client keeps open is destroyed", async () => {
  const limits = { ...defaultLimits.requests, sockets: { perSecond: 1, burst: 1 } };
  const limiter = new RequestLimiter(limits, () => 0);
  const server = createServer();
  const rejected = new Promise<Duplex>((resolve) => {
    server.on("upgrade", (request: IncomingMessage, socket: Duplex) => {
      limiter.admitSocket("203.0.113.1");
      expect(limitUpgrade(request, socket, limiter, "127.0.0.1")).toBe(true);
      resolve(socket);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = await openRaw(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  try {
    client.socket.allowHalfOpen = true;
    client.send(
      "GET / HTTP/1.1\r\nhost: a\r\nx-forwarded-for: 203.0.113.1\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n",
    );
    await client.answered;
    expect(client.received()).toMatch(/^HTTP\/1\.1 429 [\s\S]*retry-after: 1\r\n/);
    const socket = await rejected;
    await expect.poll(() => socket.destroyed, { timeout: 60_000 }).toBe(true);
  } finally {
    client.socket.destroy();
    server.close();
  }
});
