import type { HostileClient } from "../hostile-client.ts";
import type { AttackKind } from "../kind.ts";

const perClient = 30;
/** Connections of each sort that one client leaves hanging. */
const mostHanging = 20;

const HANDSHAKE =
  "connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

async function upgradeAndReset(client: HostileClient): Promise<void> {
  const raw = await client.connect();
  raw.send(`GET /chats HTTP/1.1\r\nhost: a\r\n${HANDSHAKE}\r\n`);
  await raw.reset();
  client.count("reset");
}

/** Says something and then nothing more, until the server has had enough. */
async function hang(client: HostileClient, hanging: Set<unknown>, text: string): Promise<void> {
  if (hanging.size >= mostHanging) return await upgradeAndReset(client);
  const raw = await client.connect();
  raw.socket.pause();
  raw.send(text);
  hanging.add(raw);
  client.count("hanging");
  void raw.closed.then(() => hanging.delete(raw));
}

/** Connections that break off, stand still or are never read, at every stage of a request. */
export const brokenConnections: AttackKind = {
  name: "broken connections",
  tries: "upgrades to wrong paths with resets, half headers, half bodies, unread answers",
  attemptsPerSecond: 10 * perClient,
  run: async (client) => {
    const sorts = [
      "GET / HTTP/1.1\r\nhost: a\r\n",
      "POST /auth/v1/signup HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 90000\r\n\r\n{",
      "GET /app.html HTTP/1.1\r\nhost: a\r\n\r\n".repeat(16),
    ].map((text) => ({ text, hanging: new Set() }));
    await client.pace(perClient, async (turn) => {
      const sort = sorts[turn % 6];
      if (sort === undefined) await upgradeAndReset(client);
      else await hang(client, sort.hanging, sort.text);
    });
  },
};
