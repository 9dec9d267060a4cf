import type { HostileClient } from "../hostile-client.ts";
import type { AttackKind } from "../attack-kind.ts";

const perClient = 30;
/** Connections of each kind that one client leaves open. */
const mostHanging = 20;

const handshake =
  "connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

async function upgradeAndReset(client: HostileClient): Promise<void> {
  const raw = await client.connect();
  raw.send(`GET /chats HTTP/1.1\r\nhost: a\r\n${handshake}\r\n`);
  await raw.reset();
  client.count("reset");
}

/** Sends the beginning of a request and then nothing, until the server closes the connection. */
async function hang(client: HostileClient, hanging: Set<unknown>, text: string): Promise<void> {
  if (hanging.size >= mostHanging) return await upgradeAndReset(client);
  const raw = await client.connect();
  raw.socket.pause();
  raw.send(text);
  hanging.add(raw);
  client.count("hanging");
  void raw.closed.then(() => hanging.delete(raw));
}

/** Connections that break off, stall or are never read, at every stage of a request. */
export const brokenConnections: AttackKind = {
  name: "broken connections",
  tries:
    "upgrades to wrong paths with resets, half headers, half bodies for every service, unread answers",
  attemptsPerSecond: 10 * perClient,
  run: async (client) => {
    const { anonKey } = client.field;
    const half = (path: string, bytes: number) =>
      `POST ${path} HTTP/1.1\r\nhost: a\r\napikey: ${anonKey}\r\nauthorization: Bearer ${anonKey}\r\n` +
      `content-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n{`;
    const sorts = [
      "GET / HTTP/1.1\r\nhost: a\r\n",
      // Below the limit of each service, so that the request is accepted and waits for its body.
      half("/auth/v1/token?grant_type=password", 4_000),
      half("/rest/v1/chat_messages", 4_000),
      half("/functions/v1/decrement-participant-count", 4_000),
      half("/storage/v1/object/list/avatars", 4_000),
      "GET /app.html HTTP/1.1\r\nhost: a\r\n\r\n".repeat(16),
    ].map((text) => ({ text, hanging: new Set() }));
    await client.pace(perClient, async (turn) => {
      const sort = sorts[turn % 9];
      if (sort === undefined) await upgradeAndReset(client);
      else await hang(client, sort.hanging, sort.text);
    });
  },
};
