import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { expect, inject, test } from "vitest";
import { startFixtureHost } from "../../support/start-fixture-host.ts";

const portOf = (server: { address: () => unknown }) => (server.address() as AddressInfo).port;

test("a start that fails after it has reached Redis leaves no connection there", async () => {
  const open = new Set<Socket>();
  let connections = 0;
  // Enough of a Redis for connections to stay: every command is answered.
  const redis = createServer((socket) => {
    connections += 1;
    open.add(socket);
    socket.on("close", () => open.delete(socket)).on("error", () => undefined);
    socket.on("data", (chunk) => {
      const commands = chunk.toString("latin1").match(/^\*\d+\r$/gm) ?? [];
      socket.write("$2\r\nOK\r\n".repeat(commands.length));
    });
  }).listen(0, "127.0.0.1");
  const metrics = createServer().listen(0, "127.0.0.1");
  await Promise.all([once(redis, "listening"), once(metrics, "listening")]);
  try {
    const start = startFixtureHost({
      DATABASE_URL: inject("host").databaseUrl,
      REDIS_URL: `redis://127.0.0.1:${portOf(redis)}`,
      METRICS_PORT: String(portOf(metrics)),
    });
    await expect(start).rejects.toThrow(
      "is already in use; stop the other program or set METRICS_PORT.",
    );
    expect(connections).toBeGreaterThan(0);
    await expect.poll(() => open.size).toBe(0);
  } finally {
    for (const socket of open) socket.destroy();
    redis.close();
    metrics.close();
  }
});
