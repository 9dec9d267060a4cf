import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { pino } from "pino";
import { afterEach, describe, expect, test } from "vitest";
import { openRaw, type RawClient } from "../testing/raw-client.ts";
import { clientNetworkOfUpgrade } from "../limits/client-address.ts";
import type { ConnectionRules } from "./connection-limiter.ts";
import { defaultHttpLimits, type HttpLimits } from "./http-limits.ts";
import { createHttpServer } from "./server.ts";

const getRequest = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";
const opened: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const ok: Handler = async (request, response) => {
  for await (const chunk of request) void chunk;
  response.end("ok");
};

/** Accepts an upgrade at `/socket`. */
function openSocket(request: IncomingMessage, socket: Duplex): boolean {
  if (request.url !== "/socket") return false;
  socket.write("HTTP/1.1 101 Switching Protocols\r\n\r\n");
  socket.resume().once("end", () => socket.destroy());
  return true;
}

async function start(
  limits: Partial<HttpLimits>,
  handler: Handler = ok,
  rules: Partial<ConnectionRules> = {},
): Promise<string> {
  const server = createHttpServer(
    { request: handler, upgrade: openSocket },
    {
      log: pino({ level: "silent" }),
      rules: {
        isExempt: () => false,
        networkOf: (request) => clientNetworkOfUpgrade(request, "127.0.0.1"),
        isStreamed: ({ url }) => url === "/upload",
        ...rules,
      },
      limits: { ...defaultHttpLimits, ...limits },
    },
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  opened.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function ask(url: string, text = getRequest, from?: string): Promise<RawClient> {
  const client = await openRaw(url, from);
  opened.push(async () => await Promise.resolve(void client.socket.destroy()));
  client.send(text);
  return client;
}

async function statusOf(client: RawClient): Promise<string> {
  await client.answered;
  return client.received().slice(9, 12);
}

/** Established connections that the server of `url` has. */
async function countOf(url: string): Promise<number> {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, "0");
  const table = await readFile("/proc/net/tcp", "utf8");
  return table.split("\n").filter((line) => {
    const [, local, , state] = line.trim().split(/\s+/);
    return local === `0100007F:${port}` && state === "01";
  }).length;
}

describe("a request that names two hosts", () => {
  const upgrade = "connection: Upgrade\r\nupgrade: websocket\r\n";
  test.each([
    ["/", "host: a\r\nhost: b\r\n"],
    ["/", "host: a\r\nHOST: a\r\n"],
    ["/socket", `host: a\r\nhost: b\r\n${upgrade}`],
  ])("is refused: %s with %j", async (path, headers) => {
    const client = await ask(await start({}), `GET ${path} HTTP/1.1\r\n${headers}\r\n`);
    expect(await statusOf(client)).toBe("400");
  });
});

describe("a slow client", () => {
  test("that never completes its headers gets 408", async () => {
    const url = await start({ headersTimeoutMs: 200 });
    const client = await ask(url, "GET / HTTP/1.1\r\nhost: a\r\n");
    expect(await statusOf(client)).toBe("408");
    await client.closed;
  });

  test("that sends its body too slowly gets 408 after the request timeout", async () => {
    const url = await start({ headersTimeoutMs: 200, requestTimeoutMs: 1000 });
    const client = await ask(url, "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9000\r\n\r\n");
    const dripping = setInterval(() => client.send("x"), 50);
    await client.closed;
    clearInterval(dripping);
    expect(client.received()).toMatch(/^HTTP\/1\.1 408 /);
  });

  test("that stops in the middle of a body is disconnected", async () => {
    const url = await start({ idleTimeoutMs: 200 });
    const client = await ask(url, "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nhalf");
    await client.closed;
    expect(client.received()).toBe("");
  });

  test("that sends no further request is disconnected", async () => {
    const url = await start({ keepAliveTimeoutMs: 200 });
    const client = await ask(url);
    expect(await statusOf(client)).toBe("200");
    await client.closed;
  });

  /** A client that has read the beginning of a large answer, and nothing since. */
  async function stopReading(
    limits: Partial<HttpLimits>,
  ): Promise<{ url: string; client: RawClient }> {
    const connected = Promise.withResolvers<number>();
    const url = await start(limits, async (_request, response) => {
      // Counted before the answer begins, because its time limit may pass on a busy machine before the client looks.
      connected.resolve(await countOf(url));
      response.end(Buffer.alloc(32 * 1024 ** 2));
    });
    const client = await ask(url);
    expect(await connected.promise).toBe(1);
    await client.answered;
    client.socket.pause();
    return { url, client };
  }

  test.runIf(process.platform === "linux")(
    "that does not read its response is disconnected",
    async () => {
      const { url } = await stopReading({ idleTimeoutMs: 300 });
      await expect.poll(async () => countOf(url), { timeout: 60_000 }).toBe(0);
    },
  );

  test.runIf(process.platform === "linux")(
    "that reads its response too slowly is disconnected after the response timeout",
    async () => {
      const { url, client } = await stopReading({ responseTimeoutMs: 500 });
      const sipping = setInterval(() => client.socket.read(1000), 20);
      await expect.poll(async () => countOf(url), { timeout: 60_000 }).toBe(0);
      clearInterval(sipping);
    },
  );

  test("is not a client that waits for a slow response", async () => {
    const url = await start({ idleTimeoutMs: 100 }, async (_request, response) => {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      response.end("late");
    });
    const client = await ask(url);
    expect(await statusOf(client)).toBe("200");
  });

  test("is not a client that waits for the rest of a slow response", async () => {
    const url = await start({ idleTimeoutMs: 100 }, async (_request, response) => {
      response.write("first");
      await new Promise((resolve) => setTimeout(resolve, 1000));
      response.end("last");
    });
    const client = await ask(url, "GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
    await client.closed;
    expect(client.received()).toContain("last");
  });
});

describe("connections from one address", () => {
  test("above the limit get 429 or are closed, without affecting other addresses", async () => {
    const url = await start({ maxConnectionsPerAddress: 4 });
    const clients: RawClient[] = [];
    for (let index = 0; index < 4; index += 1) clients.push(await ask(url));
    for (const client of clients) expect(await statusOf(client)).toBe("200");

    const fifth = await ask(url, "");
    const sixth = await ask(url);
    await sixth.closed;
    expect(sixth.received()).toBe("");
    fifth.send(getRequest);
    expect(await statusOf(fifth)).toBe("429");
    expect(fifth.received()).toContain("retry-after: 5");
    expect(fifth.received()).toContain('"code":"too_many_connections"');

    expect(await statusOf(await ask(url, getRequest, "127.0.0.2"))).toBe("200");
    clients[0]?.socket.destroy();
    await fifth.closed;
    await expect.poll(async () => statusOf(await ask(url)), { timeout: 60_000 }).toBe("200");
  });

  test("are not counted for the trusted proxy", async () => {
    const isExempt = (address: string) => address === "127.0.0.1";
    const url = await start({ maxConnectionsPerAddress: 1 }, ok, { isExempt });
    for (let index = 0; index < 5; index += 1) expect(await statusOf(await ask(url))).toBe("200");
  });

  test("are not counted after an upgrade", async () => {
    const url = await start({ maxConnectionsPerAddress: 1 });
    const upgrade = "connection: Upgrade\r\nupgrade: websocket\r\n\r\n";
    for (let index = 0; index < 3; index += 1) {
      const socket = await ask(url, `GET /socket HTTP/1.1\r\nhost: a\r\n${upgrade}`);
      expect(await statusOf(socket)).toBe("101");
    }
    expect(await statusOf(await ask(url))).toBe("200");
  });

  test("are counted while a rejected upgrade is open", async () => {
    const url = await start({ maxConnectionsPerAddress: 1 });
    const upgrade = "connection: Upgrade\r\nupgrade: websocket\r\n\r\n";
    const rejected = await ask(url, `GET /elsewhere HTTP/1.1\r\nhost: a\r\n${upgrade}`);
    rejected.socket.allowHalfOpen = true;
    expect(await statusOf(rejected)).toBe("404");
    const second = await ask(url);
    expect(await statusOf(second)).not.toBe("200");
  });

  test("may not pipeline requests without limit", async () => {
    const url = await start({ maxPipelined: 3 }, async (_request, response) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      response.end("ok");
    });
    const client = await ask(url, getRequest.repeat(10));
    await client.closed;
    expect(client.received().match(/HTTP\/1\.1 200/g)?.length).toBe(3);
    expect(client.received()).toContain('"code":"too_many_pipelined_requests"');
  });
});

describe("memory held for clients", () => {
  const body = (bytes: number) =>
    `POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 999999999\r\n\r\n${"x".repeat(bytes)}`;

  test("is limited per address by closing the largest", async () => {
    const url = await start({ maxBufferedBytesPerAddress: 1_000_000 });
    const small = await ask(url, body(300_000));
    const largest = await ask(url, body(900_000));
    const other = await ask(url, body(900_000), "127.0.0.2");
    await largest.closed;
    expect([small.socket.destroyed, other.socket.destroyed]).toEqual([false, false]);
  });

  test("is limited per client behind a proxy", async () => {
    const isExempt = (address: string) => address === "127.0.0.1";
    const url = await start({ maxBufferedBytesPerAddress: 1_000_000 }, ok, { isExempt });
    const from = (address: string) =>
      body(900_000).replace("host: a", `host: a\r\nx-forwarded-for: ${address}`);
    const one = await ask(url, from("203.0.113.1"));
    const other = await ask(url, from("203.0.113.2"));
    const second = await ask(url, from("203.0.113.1"));
    await Promise.race([one.closed, second.closed]);
    expect(other.socket.destroyed).toBe(false);
  });

  test("does not include uploads that were written to disk", async () => {
    const url = await start({ maxBufferedBytes: 1_000_000 });
    const upload = await ask(url, body(3_000_000).replace("POST /", "POST /upload"));
    const largest = await ask(url, body(1_500_000), "127.0.0.2");
    await largest.closed;
    expect(upload.socket.destroyed).toBe(false);
  });

  test("is limited for all addresses together", async () => {
    const url = await start({ maxBufferedBytes: 1_000_000 });
    const first = await ask(url, body(700_000));
    const second = await ask(url, body(800_000), "127.0.0.2");
    await second.closed;
    expect(first.socket.destroyed).toBe(false);
  });
});

describe("an error on one connection", () => {
  test("in its handler closes only that connection", async () => {
    const url = await start({}, async (request, response) => {
      if (request.url === "/bad") throw new Error("not written");
      await Promise.resolve(response.end("ok"));
    });
    const client = await ask(url, "GET /bad HTTP/1.1\r\nhost: a\r\n\r\n");
    await client.closed;
    expect(client.received()).toBe("");
    expect(await statusOf(await ask(url))).toBe("200");
  });

  test("in its upgrade gets a response, and the socket is closed even if the client does not", async () => {
    const url = await start({});
    const client = await ask(
      url,
      "GET / HTTP/1.1\r\nhost: a\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n",
    );
    expect(await statusOf(client)).toBe("404");
    await client.closed;
  });
});
