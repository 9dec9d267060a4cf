import { connect } from "node:net";
import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startLimitedHost, type LimitedHost, type LimitedMember } from "./limited-host.ts";

const few = { perSecond: 1, burst: 3 };
/** What the burst allows, one after the other. */
const BURST = [1, 2, 3];
const service = { member: few, stranger: few };

let host: LimitedHost;
let ada: LimitedMember;
let addresses = 0;
let address: string;

beforeAll(async () => {
  host = await startLimitedHost({
    requests: {
      services: { auth: service, rest: service, storage: service, functions: service },
      sockets: { perSecond: 1, burst: 2 },
      renewals: { perSecond: 1, burst: 10 },
    },
  });
});
afterAll(async () => await host.stop());
beforeEach(async () => {
  ada = await host.member();
  addresses += 1;
  address = `203.0.113.${addresses}`;
});

const READ = "/rest/v1/books?select=id&limit=1";

/** Statuses of so many requests, one after the other. */
async function statuses(count: number, request: () => Promise<Response>): Promise<number[]> {
  const answers: number[] = [];
  for (let at = 0; at < count; at += 1) answers.push((await request()).status);
  return answers;
}

describe("a member over budget", () => {
  test("is told when to come back, in words any site may read, and is heard then", async () => {
    const read = async () => await host.ask(READ, address, { token: ada.token });
    expect(await statuses(3, read)).toEqual([200, 200, 200]);
    const refused = await read();
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(refused.headers.get("access-control-allow-origin")).toBe("*");
    expect(refused.headers.get("access-control-expose-headers")).toContain("Retry-After");
    expect(await refused.json()).toEqual({
      code: "over_request_rate_limit",
      message: "Too many requests. Try again in 1 second.",
      details: null,
      hint: null,
    });
    host.pass(1000);
    expect((await read()).status).toBe(200);
  });

  test("is refused from any address, and nobody else is", async () => {
    for (const at of [1, 2, 3]) {
      await host.ask(READ, `198.51.100.${at}`, { token: ada.token });
    }
    expect((await host.ask(READ, "198.51.100.4", { token: ada.token })).status).toBe(429);
    const ben = await host.member();
    expect((await host.ask(READ, "198.51.100.4", { token: ben.token })).status).toBe(200);
    expect((await host.ask(READ, "198.51.100.4")).status).toBe(200);
  });

  test("spends one service's budget without touching another's", async () => {
    await statuses(4, async () => await host.ask(READ, address, { token: ada.token }));
    const path = "/functions/v1/hello";
    expect((await host.ask(path, address, { token: ada.token })).status).toBe(200);
  });
});

describe("the official client understands the refusal of", () => {
  test("rest", async () => {
    const read = async () => await ada.client.from("books").select("id").limit(1).retry(false);
    for (const _ of BURST) expect((await read()).error).toBeNull();
    const { error, status } = await read();
    expect(status).toBe(429);
    expect(error).toMatchObject({ code: "over_request_rate_limit" });
    expect(error?.message).toContain("Try again in 1 second.");
  });

  test("storage", async () => {
    const list = async () => await ada.client.storage.from("nowhere").list();
    for (const _ of BURST) expect((await list()).error).toBeNull();
    expect((await list()).error).toMatchObject({
      name: "StorageApiError",
      status: 429,
      statusCode: "429",
      message: "Too many requests. Try again in 1 second.",
    });
  });

  test("functions", async () => {
    const call = async () => await ada.client.functions.invoke("hello");
    for (const _ of BURST) expect((await call()).error).toBeNull();
    const { error } = (await call()) as { error: { context: Response; name: string } };
    expect(error.name).toBe("FunctionsHttpError");
    expect(error.context.status).toBe(429);
    expect(error.context.headers.get("sb-error-code")).toBe("over_request_rate_limit");
    expect(await error.context.json()).toEqual({
      code: "over_request_rate_limit",
      message: "Too many requests. Try again in 1 second.",
    });
  });

  test("auth, which leaves the budget of renewals alone", async () => {
    const { url, anonKey } = host.running;
    const auth = { persistSession: false, autoRefreshToken: false };
    const client = createClient(url, anonKey, { auth });
    const email = `${ada.id}@example.test`;
    const { data } = await client.auth.signUp({ email, password: "Correct-Horse-42!" });
    for (const _ of BURST) expect((await client.auth.getUser()).error).toBeNull();
    expect((await client.auth.getUser()).error).toMatchObject({
      name: "AuthApiError",
      status: 429,
      code: "over_request_rate_limit",
    });
    let refreshToken = data.session?.refresh_token ?? "";
    for (let count = 0; count < 8; count += 1) {
      const renewed = await client.auth.refreshSession({ refresh_token: refreshToken });
      expect(renewed.error).toBeNull();
      refreshToken = renewed.data.session?.refresh_token ?? "";
    }
  });
});

test("renewing a session over budget keeps the session: it is refused in a way the client tries again", async () => {
  const { url, anonKey } = host.running;
  let floods = true;
  const statusesSeen: number[] = [];
  const client = createClient(url, anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: {
      headers: { "x-forwarded-for": address },
      fetch: async (input, init) => {
        const answer = await fetch(input, init);
        statusesSeen.push(answer.status);
        // The flood ends while the client waits for its next try.
        if (answer.status === 503) floods = false;
        if (!floods) host.pass(60_000);
        return answer;
      },
    },
  });
  const { error } = await client.auth.signUp({
    email: `${ada.id}@example.test`,
    password: "Correct-Horse-42!",
  });
  expect(error).toBeNull();
  const renew = async () =>
    await host.ask("/auth/v1/token?grant_type=refresh_token", address, {
      method: "POST",
      body: JSON.stringify({ refresh_token: "made up" }),
    });
  const answers = await statuses(12, renew);
  expect(answers.at(-1)).toBe(503);
  expect(answers).not.toContain(429);
  expect((await renew()).headers.get("retry-after")).toBe("1");
  expect((await client.auth.refreshSession()).error).toBeNull();
  expect(statusesSeen).toContain(503);
  expect((await client.auth.getSession()).data.session).not.toBeNull();
});

describe("whose budget is charged", () => {
  test("a forged, spoilt or expired token spends the stranger's own, never the member's", async () => {
    const claims = { sub: ada.id, role: "authenticated" };
    const forged = await host.sign(claims, "another-secret-of-at-least-thirty-two-characters");
    const expired = await host.sign({ ...claims, exp: 1 });
    for (const token of [forged, `${ada.token}x`, expired]) {
      expect((await host.ask(READ, address, { token })).status).toBe(401);
    }
    expect((await host.ask(READ, address, { token: forged })).status).toBe(429);
    expect((await host.ask(READ, address, { token: ada.token })).status).toBe(200);
  });

  test("a stranger's is that of the address, an IPv6 network as a whole", async () => {
    const from = (tail: string) => `2001:db8:0:${addresses}::${tail}`;
    for (const tail of ["1", "2", "3"]) await host.ask(READ, from(tail));
    expect((await host.ask(READ, from("4"))).status).toBe(429);
    expect((await host.ask(READ, `2001:db8:1:${addresses}::4`)).status).toBe(200);
  });

  test("the service key and the questions of browsers are free", async () => {
    const token = host.running.serviceRoleKey;
    const asService = async () => await host.ask(READ, address, { token });
    expect(await statuses(6, asService)).toEqual(Array(6).fill(200));
    const preflight = async () =>
      await host.ask(READ, address, {
        method: "OPTIONS",
        headers: { origin: "https://one.example", "access-control-request-method": "GET" },
      });
    expect(await statuses(6, preflight)).toEqual(Array(6).fill(204));
    expect((await host.ask(READ, address)).status).toBe(200);
  });
});

test("new sockets of one address are refused with the seconds to wait", async () => {
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
