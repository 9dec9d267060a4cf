import { connect } from "node:net";
import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startLimitedHost, type LimitedHost, type LimitedMember } from "./limited-host.ts";

const few = { perSecond: 1, burst: 3 };
/** One entry for each request the burst allows. */
const burst = [1, 2, 3];
const service = { member: few, anonymous: few };

let host: LimitedHost;
let ada: LimitedMember;
let addresses = 0;
let address: string;

beforeAll(async () => {
  host = await startLimitedHost({
    requests: {
      services: { auth: service, rest: service, storage: service, functions: service },
      sockets: { perSecond: 1, burst: 2 },
      tokenRefreshes: { perSecond: 1, burst: 10 },
    },
  });
});
afterAll(async () => await host.stop());
beforeEach(async () => {
  ada = await host.member();
  addresses += 1;
  address = `203.0.113.${addresses}`;
});

const readPath = "/rest/v1/books?select=id&limit=1";

/** Statuses of `count` requests sent one after the other. */
async function statuses(count: number, request: () => Promise<Response>): Promise<number[]> {
  const answers: number[] = [];
  for (let at = 0; at < count; at += 1) answers.push((await request()).status);
  return answers;
}

describe("a member over the limit", () => {
  test("gets 429 with Retry-After, readable from any origin, and succeeds after that time", async () => {
    const read = async () => await host.ask(readPath, address, { token: ada.token });
    expect(await statuses(3, read)).toEqual([200, 200, 200]);
    const rejected = await read();
    expect(rejected.status).toBe(429);
    expect(rejected.headers.get("retry-after")).toBe("1");
    expect(rejected.headers.get("access-control-allow-origin")).toBe("*");
    expect(rejected.headers.get("access-control-expose-headers")).toContain("Retry-After");
    expect(await rejected.json()).toEqual({
      code: "over_request_rate_limit",
      message: "Too many requests. Try again in 1 second.",
      details: null,
      hint: null,
    });
    host.pass(1000);
    expect((await read()).status).toBe(200);
  });

  test("is rejected from any address, and other callers are not", async () => {
    for (const at of [1, 2, 3]) {
      await host.ask(readPath, `198.51.100.${at}`, { token: ada.token });
    }
    expect((await host.ask(readPath, "198.51.100.4", { token: ada.token })).status).toBe(429);
    const ben = await host.member();
    expect((await host.ask(readPath, "198.51.100.4", { token: ben.token })).status).toBe(200);
    expect((await host.ask(readPath, "198.51.100.4")).status).toBe(200);
  });

  test("reaches the limit of one service without affecting the others", async () => {
    await statuses(4, async () => await host.ask(readPath, address, { token: ada.token }));
    const path = "/functions/v1/hello";
    expect((await host.ask(path, address, { token: ada.token })).status).toBe(200);
  });
});

describe("the official client understands a 429 from", () => {
  test("rest", async () => {
    const read = async () => await ada.client.from("books").select("id").limit(1).retry(false);
    for (const _ of burst) expect((await read()).error).toBeNull();
    const { error, status } = await read();
    expect(status).toBe(429);
    expect(error).toMatchObject({ code: "over_request_rate_limit" });
    expect(error?.message).toContain("Try again in 1 second.");
  });

  test("storage", async () => {
    const list = async () => await ada.client.storage.from("nowhere").list();
    for (const _ of burst) expect((await list()).error).toBeNull();
    expect((await list()).error).toMatchObject({
      name: "StorageApiError",
      status: 429,
      statusCode: "429",
      message: "Too many requests. Try again in 1 second.",
    });
  });

  test("functions", async () => {
    const call = async () => await ada.client.functions.invoke("hello");
    for (const _ of burst) expect((await call()).error).toBeNull();
    const { error } = (await call()) as { error: { context: Response; name: string } };
    expect(error.name).toBe("FunctionsHttpError");
    expect(error.context.status).toBe(429);
    expect(error.context.headers.get("sb-error-code")).toBe("over_request_rate_limit");
    expect(await error.context.json()).toEqual({
      code: "over_request_rate_limit",
      message: "Too many requests. Try again in 1 second.",
    });
  });

  test("auth, which does not affect the limit for token refreshes", async () => {
    const { url, anonKey } = host.running;
    const auth = { persistSession: false, autoRefreshToken: false };
    const client = createClient(url, anonKey, { auth });
    const email = `${ada.id}@example.test`;
    const { data } = await client.auth.signUp({ email, password: "Correct-Horse-42!" });
    for (const _ of burst) expect((await client.auth.getUser()).error).toBeNull();
    expect((await client.auth.getUser()).error).toMatchObject({
      name: "AuthApiError",
      status: 429,
      code: "over_request_rate_limit",
    });
    let refreshToken = data.session?.refresh_token ?? "";
    for (let count = 0; count < 8; count += 1) {
      const refreshed = await client.auth.refreshSession({ refresh_token: refreshToken });
      expect(refreshed.error).toBeNull();
      refreshToken = refreshed.data.session?.refresh_token ?? "";
    }
  });
});

test("a token refresh over the limit gets 503, so that the client keeps the session and retries", async () => {
  const { url, anonKey } = host.running;
  let isFlooding = true;
  const statusesSeen: number[] = [];
  const client = createClient(url, anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: {
      headers: { "x-forwarded-for": address },
      fetch: async (input, init) => {
        const answer = await fetch(input, init);
        statusesSeen.push(answer.status);
        // The flood ends while the client waits to retry.
        if (answer.status === 503) isFlooding = false;
        if (!isFlooding) host.pass(60_000);
        return answer;
      },
    },
  });
  const { error } = await client.auth.signUp({
    email: `${ada.id}@example.test`,
    password: "Correct-Horse-42!",
  });
  expect(error).toBeNull();
  const refresh = async () =>
    await host.ask("/auth/v1/token?grant_type=refresh_token", address, {
      method: "POST",
      body: JSON.stringify({ refresh_token: "made up" }),
    });
  const answers = await statuses(12, refresh);
  expect(answers.at(-1)).toBe(503);
  expect(answers).not.toContain(429);
  expect((await refresh()).headers.get("retry-after")).toBe("1");
  expect((await client.auth.refreshSession()).error).toBeNull();
  expect(statusesSeen).toContain(503);
  expect((await client.auth.getSession()).data.session).not.toBeNull();
});

describe("a request counts against", () => {
  test("the address, not the member, when its token is forged, malformed or expired", async () => {
    const claims = { sub: ada.id, role: "authenticated" };
    const forged = await host.sign(claims, "another-secret-of-at-least-thirty-two-characters");
    const expired = await host.sign({ ...claims, exp: 1 });
    for (const token of [forged, `${ada.token}x`, expired]) {
      expect((await host.ask(readPath, address, { token })).status).toBe(401);
    }
    expect((await host.ask(readPath, address, { token: forged })).status).toBe(429);
    expect((await host.ask(readPath, address, { token: ada.token })).status).toBe(200);
  });

  test("its IPv4 address or IPv6 /64 network when it is anonymous", async () => {
    const from = (tail: string) => `2001:db8:0:${addresses}::${tail}`;
    for (const tail of ["1", "2", "3"]) await host.ask(readPath, from(tail));
    expect((await host.ask(readPath, from("4"))).status).toBe(429);
    expect((await host.ask(readPath, `2001:db8:1:${addresses}::4`)).status).toBe(200);
  });

  test("nothing when it carries the service key or is a CORS preflight", async () => {
    const token = host.running.serviceRoleKey;
    const asService = async () => await host.ask(readPath, address, { token });
    expect(await statuses(6, asService)).toEqual(Array(6).fill(200));
    const preflight = async () =>
      await host.ask(readPath, address, {
        method: "OPTIONS",
        headers: { origin: "https://one.example", "access-control-request-method": "GET" },
      });
    expect(await statuses(6, preflight)).toEqual(Array(6).fill(204));
    expect((await host.ask(readPath, address)).status).toBe(200);
  });
});

test("new sockets above the limit of one address get 429 with Retry-After", async () => {
  const { port, hostname } = new URL(host.running.url);
  const upgrade = async (from: string) =>
    await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      socket.once("error", reject);
      socket.once("data", (data) => {
        resolve(data.toString());
        socket.destroy();
      });
      const path = `/realtime/v1/websocket?apikey=${host.running.anonKey}&vsn=2.0.0`;
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nX-Forwarded-For: ${from}\r\n\r\n`,
      );
    });
  expect(await upgrade(address)).toContain("101 Switching Protocols");
  expect(await upgrade(address)).toContain("101 Switching Protocols");
  expect(await upgrade(address)).toMatch(/^HTTP\/1.1 429 [\s\S]*\r\nretry-after: 1\r\n/i);
  expect(await upgrade("198.51.100.77")).toContain("101 Switching Protocols");
  host.pass(1000);
  expect(await upgrade(address)).toContain("101 Switching Protocols");
});
