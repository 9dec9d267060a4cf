import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { jwtVerify, SignJWT } from "jose";
import { TOTP } from "otpauth";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newEmail, testPassword } from "../../support/clients.ts";
import { openRestartingHost, type RestartingHost } from "../../support/restarting-host.ts";
import type { RunningHost } from "../../support/running.ts";
import { fixtureDataKey } from "../../support/start-fixture-host.ts";
import { call, clientOf } from "./requests.ts";
import { everyService, isRejected, rejectionsOf } from "./token-statuses.ts";

/** The prepared folder was made with it, as an older version made everything with the JWT secret. */
const first = fixtureDataKey;
const second = "the-second-secret-of-this-install-0123456789";
const bytes = (secret: string) => new TextEncoder().encode(secret);

/** What a member and an integration hold while the secret changes. */
interface Held {
  accessToken: string;
  refreshToken: string;
  factor: { id: string; secret: string };
  anonKey: string;
  serviceRoleKey: string;
  publishableKey: string;
  secretKey: string;
  readLink: string;
  writeLink: { path: string; token: string };
}

let host: RestartingHost;
let running: RunningHost;
let held: Held;

async function codeFor(client: SupabaseClient, { id, secret }: Held["factor"]) {
  const code = new TOTP({ secret }).generate({ timestamp: Date.now() + host.ahead() });
  return await client.auth.mfa.challengeAndVerify({ factorId: id, code });
}

async function hold(): Promise<Held> {
  const client = clientOf(running);
  const signed = await client.auth.signUp({ email: newEmail(), password: testPassword });
  const userId = signed.data.user?.id ?? "";
  const enrolled = await client.auth.mfa.enroll({ factorType: "totp" });
  if (enrolled.error) throw enrolled.error;
  const factor = { id: enrolled.data.id, secret: enrolled.data.totp.secret };
  expect((await codeFor(client, factor)).error).toBeNull();
  const files = client.storage.from("documents");
  await files.upload(`${userId}/kept.txt`, "kept");
  // An hour: every start of the host puts its clock forward, and no link is to expire on the way.
  const read = await files.createSignedUrl(`${userId}/kept.txt`, 3600);
  const write = await files.createSignedUploadUrl(`${userId}/later.txt`);
  const { session } = (await client.auth.getSession()).data;
  const { anonKey, serviceRoleKey, publishableKey, secretKey } = running;
  return {
    accessToken: session?.access_token ?? "",
    refreshToken: session?.refresh_token ?? "",
    factor,
    anonKey,
    serviceRoleKey,
    publishableKey,
    secretKey,
    readLink: read.data?.signedUrl ?? "",
    writeLink: { path: write.data?.path ?? "", token: write.data?.token ?? "" },
  };
}

async function refresh(): Promise<{ status: number; accessToken: string }> {
  const answer = await call(running, "/token?grant_type=refresh_token", {
    body: { refresh_token: held.refreshToken },
  });
  if (answer.status === 200) held.refreshToken = String(answer.body["refresh_token"]);
  return { status: answer.status, accessToken: String(answer.body["access_token"]) };
}

/** Dates the uses of refresh tokens now: a second use counts for ten seconds, and a busy machine starts a host for longer. */
async function justUsed(): Promise<void> {
  const client = new pg.Client({ connectionString: running.databaseUrl });
  await client.connect();
  try {
    await client.query("update auth.refresh_tokens set updated_at = now()");
  } finally {
    await client.end();
  }
}

async function acceptsKey(apikey: string): Promise<boolean> {
  const bearer = apikey.startsWith("ey") ? { authorization: `Bearer ${apikey}` } : {};
  const headers = { apikey, ...bearer };
  return !isRejected((await fetch(`${running.url}/rest/v1/`, { headers })).status);
}

beforeAll(async () => {
  host = await openRestartingHost();
  running = await host.start({ SUPABASE_JWT_SECRET: first, DATA_KEY: "" });
  held = await hold();
});
afterAll(async () => await host.stop());

test("an install of an older version keeps its JWT secret as data key", async () => {
  const kept = JSON.parse(await readFile(join(host.dataDir, "secrets.json"), "utf8")) as object;
  expect(kept).toMatchObject({ dataKey: first });
});

describe("while the previous secret is set", () => {
  beforeAll(async () => {
    running = await host.start({
      SUPABASE_JWT_SECRET: second,
      SUPABASE_JWT_SECRET_PREVIOUS: first,
      DATA_KEY: "",
    });
    expect(running.anonKey).not.toBe(held.anonKey);
  });

  test("its tokens and API keys are accepted by every service", async () => {
    expect(await rejectionsOf(running, held.accessToken)).toEqual([]);
    for (const key of [held.anonKey, held.serviceRoleKey, running.anonKey]) {
      expect(await acceptsKey(key)).toBe(true);
    }
    expect(await rejectionsOf({ ...running, anonKey: held.anonKey }, held.accessToken)).toEqual([]);
  });

  test("a session goes on, and its next token is signed with the current secret", async () => {
    const next = await refresh();
    expect(next.status).toBe(200);
    await expect(jwtVerify(next.accessToken, bytes(second))).resolves.toBeDefined();
    await expect(jwtVerify(next.accessToken, bytes(first))).rejects.toThrow();
    expect(await rejectionsOf(running, next.accessToken)).toEqual([]);
  });

  test("a third secret signs nothing", async () => {
    const { exp: _, ...claims } = JSON.parse(
      Buffer.from(held.accessToken.split(".")[1] ?? "", "base64url").toString(),
    ) as Record<string, unknown>;
    const forged = await new SignJWT(claims)
      .setProtectedHeader({ alg: "HS256", typ: "JWT" })
      .setExpirationTime("10 minutes")
      .sign(bytes("another-secret-that-was-never-set-here-42"));
    expect(await rejectionsOf(running, forged)).toEqual(everyService);
  });

  test("second factors and signed links go on", async () => {
    const client = createClient(running.url, running.anonKey, {
      auth: { persistSession: false, autoRefreshToken: false },
    });
    await client.auth.setSession({
      access_token: held.accessToken,
      refresh_token: held.refreshToken,
    });
    expect((await codeFor(client, held.factor)).error).toBeNull();
    held.refreshToken = (await client.auth.getSession()).data.session?.refresh_token ?? "";
    const read = await fetch(held.readLink);
    expect([read.status, await read.text()]).toEqual([200, "kept"]);
    const { path, token } = held.writeLink;
    const stored = await client.storage.from("documents").uploadToSignedUrl(path, token, "later");
    expect(stored.error).toBeNull();
  });
});

describe("after the previous secret was taken away", () => {
  beforeAll(async () => {
    running = await host.start({ SUPABASE_JWT_SECRET: second, DATA_KEY: "" });
  });

  test("its tokens and API keys are refused by every service", async () => {
    expect(await rejectionsOf(running, held.accessToken)).toEqual(everyService);
    expect(await acceptsKey(held.anonKey)).toBe(false);
    expect(await acceptsKey(held.serviceRoleKey)).toBe(false);
  });

  test("sessions, second factors, links, and publishable and secret keys are as they were", async () => {
    const next = await refresh();
    expect(next.status).toBe(200);
    expect(await rejectionsOf(running, next.accessToken)).toEqual([]);
    const client = clientOf(running);
    await client.auth.setSession({
      access_token: next.accessToken,
      refresh_token: held.refreshToken,
    });
    expect((await codeFor(client, held.factor)).error).toBeNull();
    // A code begins the session's next token; the one before is used up ten seconds later.
    held.refreshToken = (await client.auth.getSession()).data.session?.refresh_token ?? "";
    expect((await fetch(held.readLink)).status).toBe(200);
    expect(running).toMatchObject({
      publishableKey: held.publishableKey,
      secretKey: held.secretKey,
    });
    expect(await acceptsKey(held.publishableKey)).toBe(true);
  });
});

describe("a start is refused", () => {
  const random = () => `${randomUUID()}${randomUUID()}`;

  test.each([
    ["with another data key than the database's", { DATA_KEY: random() }, /data key of this host/],
    [
      "with a previous data key that is not the database's either",
      { DATA_KEY: random(), DATA_KEY_PREVIOUS: random() },
      /data key of this host/,
    ],
    [
      "with a previous data key and no current one",
      { DATA_KEY: "", DATA_KEY_PREVIOUS: random() },
      /DATA_KEY: must be set together/,
    ],
    [
      "with the same secret twice",
      { SUPABASE_JWT_SECRET: second, SUPABASE_JWT_SECRET_PREVIOUS: second },
      /SUPABASE_JWT_SECRET_PREVIOUS: is SUPABASE_JWT_SECRET itself/,
    ],
  ])("%s", async (_, env, sentence) => {
    await expect(host.start(env)).rejects.toThrow(sentence);
  });

  test("of a folder without a data key, while it cannot be known which secret made it", async () => {
    const other = await openRestartingHost();
    try {
      const rotating = { SUPABASE_JWT_SECRET: second, SUPABASE_JWT_SECRET_PREVIOUS: first };
      await expect(other.start({ ...rotating, DATA_KEY: "" })).rejects.toThrow(
        /has no data key yet. Set DATA_KEY/,
      );
      await expect(other.start({ ...rotating, DATA_KEY: first })).resolves.toBeDefined();
    } finally {
      await other.stop();
    }
  });
});

test("a data key is replaced without loss", async () => {
  const next = "the-second-data-key-of-this-install-9876543210";
  const jwt = { SUPABASE_JWT_SECRET: second };
  running = await host.start({ ...jwt, DATA_KEY: first });
  const used = held.refreshToken;
  expect((await refresh()).status).toBe(200);
  const successor = held.refreshToken;
  running = await host.start({ ...jwt, DATA_KEY: next, DATA_KEY_PREVIOUS: first });
  // A second tab that uses the same token gets the one that the first has got, made with the key of before.
  await justUsed();
  held.refreshToken = used;
  expect((await refresh()).status).toBe(200);
  expect(held.refreshToken).toBe(successor);
  expect((await refresh()).status).toBe(200);
  expect((await fetch(held.readLink)).status).toBe(200);
  expect(await acceptsKey(held.secretKey)).toBe(true);
  running = await host.start({ ...jwt, DATA_KEY: next });
  // The start before encrypted the factor anew, so its secret needs the new key alone.
  const session = await refresh();
  const client = clientOf(running);
  await client.auth.setSession({
    access_token: session.accessToken,
    refresh_token: held.refreshToken,
  });
  expect((await codeFor(client, held.factor)).error).toBeNull();
  expect((await fetch(held.readLink)).status).toBe(400);
  expect(await acceptsKey(held.secretKey)).toBe(false);
  await expect(host.start({ ...jwt, DATA_KEY: first })).rejects.toThrow(/data key of this host/);
});
