import { mkdtemp, readdir, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openRaw, type RawClient, rawStatus } from "basehost/testing";
import { copyPrepared } from "../support/prepared-folders.ts";
import { freePort, projectRoot, spawnScript, type Spawned } from "../support/spawn-product.ts";

const jwtSecret = "hostile-connections-secret-of-more-than-32-characters";
const largeFilePath = "/storage/v1/object/authenticated/verification-documents/large/large.pdf";
const fileBytes = 8 * 1024 ** 2;
/** Resets of each kind and path: the crash this guards against took some twenty to forty of them. */
const roundCount = 8;

/** Every way in, one or more for each part that answers. */
const entries = [
  "GET /",
  "GET /no/such/page",
  "GET /config.json",
  "GET /healthz",
  "GET /readyz",
  "GET /auth/v1/health",
  "GET /auth/v1/user",
  "POST /auth/v1/signup",
  "POST /auth/v1/token?grant_type=password",
  "GET /rest/v1/plans?select=*",
  "POST /rest/v1/profiles",
  "POST /rest/v1/rpc/anything",
  `GET ${largeFilePath}`,
  "POST /storage/v1/object/verification-documents/other/other.pdf",
  "POST /storage/v1/object/list/verification-documents",
  "POST /functions/v1/create-stripe-customer",
  "POST /functions/v1/stripe-webhook",
  "POST /functions/v1/no-such-function",
  "GET /realtime/v1/websocket",
  "POST /realtime/v1/api/broadcast",
  "GET /sandbox/stripe/v3/",
  "POST /sandbox/stripe/v1/payment_methods",
  "GET /dev/inbox",
] as const;

let folder = "";
let url = "";
let product: Spawned;
let serviceKey = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fourfold-hostile-"));
  await copyPrepared("product", join(folder, "data"));
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const env = {
    DATA_DIR: join(folder, "data"),
    PORT: `${port}`,
    DEMO: "0",
    SUPABASE_JWT_SECRET: jwtSecret,
  };
  product = spawnScript([join(projectRoot, "tools", "serve.ts")], env, folder);
  await product.says("Fourfold is ready");
  serviceKey = await new SignJWT({ role: "service_role" })
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer("supabase")
    .setIssuedAt()
    .setExpirationTime("1h")
    .sign(new TextEncoder().encode(jwtSecret));
  const file = Buffer.alloc(fileBytes, "x");
  file.write("%PDF-1.4\n");
  file.write("%%EOF", fileBytes - "%%EOF".length);
  const stored = await fetch(`${url}${largeFilePath.replace("/authenticated", "")}`, {
    method: "POST",
    headers: { authorization: `Bearer ${serviceKey}`, "content-type": "application/pdf" },
    body: file,
  });
  expect(stored.status).toBe(200);
});

afterAll(async () => {
  product.child.kill("SIGTERM");
  expect(await product.ended).toBe(0);
  await rm(folder, { recursive: true, force: true });
});

async function expectAlive(): Promise<void> {
  expect(product.child.exitCode, product.output()).toBeNull();
  expect(product.child.signalCode, product.output()).toBeNull();
  for (const path of ["/healthz", "/readyz", "/rest/v1/plans?select=id", "/auth/v1/health"]) {
    const anonKey = await fetch(`${url}/config.json`).then(
      async (answer) => ((await answer.json()) as { supabaseAnonKey: string }).supabaseAnonKey,
    );
    const answer = await fetch(`${url}${path}`, { headers: { apikey: anonKey } });
    await answer.arrayBuffer();
    expect(answer.status, path).toBe(200);
  }
}

function headersOf(entry: string, extra: readonly string[] = []): string {
  const lines = [
    `${entry} HTTP/1.1`,
    "host: 127.0.0.1",
    `authorization: Bearer ${serviceKey}`,
    `apikey: ${serviceKey}`,
    ...extra,
  ];
  return `${lines.join("\r\n")}\r\n`;
}

const handshake = [
  "connection: Upgrade",
  "upgrade: websocket",
  "sec-websocket-version: 13",
  "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
];
const bodyHeaders = ["content-type: application/json", "content-length: 4000"];
const chunkedHeaders = ["content-type: application/json", "transfer-encoding: chunked"];

/** A masked text frame that announces 1,000 bytes, and ten of them. */
const halfAFrame = Buffer.concat([
  Buffer.from([0x81, 0xfe, 0x03, 0xe8, 1, 2, 3, 4]),
  Buffer.alloc(10),
]);

/** What a client has said when it resets the connection; `waits` for the first byte of the answer before it does. */
interface Stage {
  says: (entry: string) => string;
  waits?: boolean;
  afterwards?: (client: RawClient) => void;
}

const stages: Readonly<Record<string, Stage>> = {
  "before a word": { says: () => "" },
  "half the headers": { says: (entry) => headersOf(entry) },
  "an upgrade": { says: (entry) => `${headersOf(entry, handshake)}\r\n` },
  "an upgrade, when it is answered": {
    says: (entry) => `${headersOf(entry, handshake)}\r\n`,
    waits: true,
  },
  "an upgrade and half a frame": {
    says: (entry) => `${headersOf(entry, handshake)}\r\n`,
    waits: true,
    afterwards: (client) => client.send(halfAFrame),
  },
  "an upgrade to another protocol": {
    says: (entry) => `${headersOf(entry, ["connection: Upgrade", "upgrade: h2c"])}\r\n`,
  },
  "half a body": { says: (entry) => `${headersOf(entry, bodyHeaders)}\r\n{"half":"` },
  "half a chunk": { says: (entry) => `${headersOf(entry, chunkedHeaders)}\r\n100\r\n{"half":"` },
  "a request that waits for leave to send its body": {
    says: (entry) => `${headersOf(entry, [...bodyHeaders, "expect: 100-continue"])}\r\n`,
  },
  "a whole request": { says: (entry) => `${headersOf(entry)}\r\n` },
  "during the answer": { says: (entry) => `${headersOf(entry)}\r\n`, waits: true },
  "a row of requests in one go": { says: (entry) => `${headersOf(entry)}\r\n`.repeat(30) },
};

/** @param delayMs how long the server may work on it before the reset. It differs in each round to hit different moments. */
async function resetAfter(entry: string, stage: Stage, delayMs: number): Promise<void> {
  const client = await openRaw(url);
  client.send(stage.says(entry));
  if (stage.waits) await client.answered;
  stage.afterwards?.(client);
  await new Promise((resolve) => setTimeout(resolve, delayMs));
  await client.reset();
}

/** What the product's process has open: stored files, and sockets of any kind. */
async function openHandles(): Promise<{ files: number; sockets: number }> {
  const handles = `/proc/${product.child.pid}/fd`;
  const names = await readdir(handles);
  const targets = await Promise.all(
    names.map(async (name) => readlink(join(handles, name)).catch(() => "")),
  );
  return {
    files: targets.filter((target) => target.includes("/storage/")).length,
    sockets: targets.filter((target) => target.startsWith("socket:")).length,
  };
}

describe("a client that resets its connection ends nothing but the connection", () => {
  it.each(Object.keys(stages))("after %s, at every entry", async (name) => {
    const stage = stages[name];
    if (stage === undefined) throw new Error(`no stage ${name}`);
    for (const entry of entries) {
      await Promise.all(
        Array.from({ length: roundCount }, async (_, round) => resetAfter(entry, stage, round * 4)),
      );
      expect(
        product.child.exitCode ?? product.child.signalCode,
        `${entry}\n${product.output()}`,
      ).toBeNull();
    }
    await expectAlive();
  });

  it.runIf(process.platform === "linux")("and leaves no socket or file open", async () => {
    await expect.poll(openHandles, { timeout: 60_000, interval: 500 }).toMatchObject({ files: 0 });
    // The database pools may have grown to their full size meanwhile.
    await expect
      .poll(async () => (await openHandles()).sockets, { timeout: 60_000, interval: 500 })
      .toBeLessThan(80);
  });
});

describe("what is no proper request is refused with 4xx", () => {
  it.each([
    ["TRACE", "TRACE / HTTP/1.1\r\nhost: a\r\n\r\n", 405],
    ["TRACE of the API", "TRACE /auth/v1/user HTTP/1.1\r\nhost: a\r\n\r\n", 405],
    ["CONNECT", "CONNECT example.org:443 HTTP/1.1\r\nhost: example.org\r\n\r\n", 405],
    ["a method of WebDAV", "PROPFIND / HTTP/1.1\r\nhost: a\r\n\r\n", 405],
    ["an invented method", "BREW /pot HTTP/1.1\r\nhost: a\r\n\r\n", 400],
    ["OPTIONS *", "OPTIONS * HTTP/1.1\r\nhost: a\r\n\r\n", 400],
    ["a broken escape", "GET /%zz HTTP/1.1\r\nhost: a\r\n\r\n", 404],
    ["a broken escape in the API", "GET /rest/v1/%zz HTTP/1.1\r\nhost: a\r\n\r\n", undefined],
    [
      "a broken escape in a query",
      "GET /rest/v1/plans?id=%zz HTTP/1.1\r\nhost: a\r\n\r\n",
      undefined,
    ],
    [
      "a broken escape in storage",
      "GET /storage/v1/object/public/a/%E0%A4%A HTTP/1.1\r\nhost: a\r\n\r\n",
      undefined,
    ],
    [
      "a broken escape in functions",
      "GET /functions/v1/%E0%A4%A HTTP/1.1\r\nhost: a\r\n\r\n",
      undefined,
    ],
    ["a broken escape in auth", "GET /auth/v1/%E0%A4%A HTTP/1.1\r\nhost: a\r\n\r\n", undefined],
    ["an escaped NUL", "GET /rest/v1/plans%00 HTTP/1.1\r\nhost: a\r\n\r\n", undefined],
    [
      "an escaped NUL in a value",
      "GET /rest/v1/plans?id=eq.%00 HTTP/1.1\r\nhost: a\r\n\r\n",
      undefined,
    ],
    [
      "an escaped NUL in storage",
      "GET /storage/v1/object/public/a/%00 HTTP/1.1\r\nhost: a\r\n\r\n",
      undefined,
    ],
    ["a NUL in the path", "GET /\0 HTTP/1.1\r\nhost: a\r\n\r\n", 400],
    ["a NUL in a header", "GET / HTTP/1.1\r\nhost: a\r\nx: \0\r\n\r\n", 400],
    ["no Host", "GET / HTTP/1.1\r\n\r\n", 400],
    ["an impossible Host", "GET / HTTP/1.1\r\nhost: a b/c@d\r\n\r\n", 400],
    ["a port that is none", "GET / HTTP/1.1\r\nhost: a:99999999\r\n\r\n", 400],
    ["an absolute address of nonsense", "GET http://[::: HTTP/1.1\r\nhost: a\r\n\r\n", 400],
    ["enormous headers", `GET / HTTP/1.1\r\nhost: a\r\nx: ${"y".repeat(100_000)}\r\n\r\n`, 431],
    [
      "two lengths",
      "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n",
      400,
    ],
    [
      "length and chunks",
      "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n",
      400,
    ],
    ["an unknown expectation", "GET / HTTP/1.1\r\nhost: a\r\nexpect: tea\r\n\r\n", 417],
    ["noise", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400],
    [
      "an upgrade to a wrong path",
      `GET /chats HTTP/1.1\r\nhost: a\r\n${handshake.join("\r\n")}\r\n\r\n`,
      404,
    ],
  ])("%s", async (_name, request, expected) => {
    const status = await rawStatus(url, request);
    if (expected !== undefined) expect(status).toBe(expected);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });

  it("an absolute address is served as the path in it, and an offer of HTTP/2 is ignored", async () => {
    expect(
      await rawStatus(url, "GET http://else.example/healthz HTTP/1.1\r\nhost: a\r\n\r\n"),
    ).toBe(200);
    const offer = "GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: Upgrade\r\nupgrade: h2c\r\n\r\n";
    expect(await rawStatus(url, offer)).toBe(200);
  });
});
