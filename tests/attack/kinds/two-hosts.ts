import type { AttackKind } from "../attack-kind.ts";

const perClient = 20;

/** Requests that name two hosts, so that what stands before the product and the product itself might read different ones. */
export const twoHosts: AttackKind = {
  name: "two hosts",
  tries: "pages, calls and upgrades with two Host headers, or one written twice",
  attemptsPerSecond: 10 * perClient,
  mostSuccesses: 0,
  run: async (client) => {
    const upgrade = "connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n";
    const starts = [
      "GET / HTTP/1.1\r\nhost: a.test\r\nhost: b.test\r\n",
      `GET /rest/v1/plans?select=id HTTP/1.1\r\nhost: a.test\r\nHOST: a.test\r\napikey: ${client.field.anonKey}\r\n`,
      `GET /realtime/v1/websocket?vsn=1.0.0 HTTP/1.1\r\nhost: a.test\r\nhost: b.test\r\n${upgrade}`,
      `POST /auth/v1/recover HTTP/1.1\r\nhost: a.test\r\nhost: b.test\r\napikey: ${client.field.anonKey}\r\ncontent-length: 0\r\n`,
    ];
    await client.pace(perClient, async (turn) => {
      const raw = await client.connect();
      raw.send(`${starts[turn % starts.length] ?? ""}\r\n`);
      await raw.answered;
      client.count(/^HTTP\/1\.1 (\d{3})/.exec(raw.received())?.[1] ?? "closed");
      await raw.reset();
    });
  },
};
