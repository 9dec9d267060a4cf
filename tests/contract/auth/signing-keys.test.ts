import { createPublicKey, generateKeyPairSync, type KeyObject, randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { decodeJwt, decodeProtectedHeader, SignJWT, type JWTHeaderParameters } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newEmail, testPassword } from "../../support/clients.ts";
import { openRestartingHost, type RestartingHost } from "../../support/restarting-host.ts";
import type { RunningHost } from "../../support/running.ts";
import { fixtureJwtSecret } from "../../support/start-fixture-host.ts";
import { call } from "./requests.ts";
import { everyService, rejectionsOf } from "./token-statuses.ts";

type Algorithm = "ES256" | "RS256";

/** A key pair and how a file of signing keys names it. */
interface Pair {
  kid: string;
  alg: Algorithm;
  privateKey: KeyObject;
  publicKey: KeyObject;
  jwk: (operations: string[]) => Record<string, unknown>;
}

function newPair(alg: Algorithm): Pair {
  const { privateKey } =
    alg === "ES256"
      ? generateKeyPairSync("ec", { namedCurve: "P-256" })
      : generateKeyPairSync("rsa", { modulusLength: 2048 });
  const kid = randomUUID();
  const jwk = (operations: string[]) => ({
    kid,
    alg,
    use: "sig",
    ext: true,
    key_ops: operations,
    ...privateKey.export({ format: "jwk" }),
  });
  return { kid, alg, privateKey, publicKey: createPublicKey(privateKey), jwk };
}

const a = newPair("ES256");
const b = newPair("RS256");
const inUse = ["sign", "verify"];
const onlyVerifies = ["verify"];

let host: RestartingHost;
let running: RunningHost;
const email = newEmail();

async function startWith(...keys: Record<string, unknown>[]): Promise<void> {
  const path = join(host.folder, "signing_keys.json");
  await writeFile(path, JSON.stringify(keys));
  running = await host.start(keys.length > 0 ? { SUPABASE_AUTH_SIGNING_KEYS_PATH: path } : {});
}

async function signIn(): Promise<{ token: string; refreshToken: string }> {
  const { body } = await call(running, "/token?grant_type=password", {
    body: { email, password: testPassword },
  });
  return { token: String(body["access_token"]), refreshToken: String(body["refresh_token"]) };
}

async function publishedKeys(): Promise<Record<string, unknown>[]> {
  const { body } = await call(running, "/.well-known/jwks.json");
  return body["keys"] as Record<string, unknown>[];
}

/** `getClaims` of the official client, and whether it asked the server about the account. */
async function claimsOf(token: string) {
  const asked: string[] = [];
  const client = createClient(running.url, running.anonKey, {
    // The client shares the published keys by this name with other clients, for ten minutes.
    auth: { persistSession: false, autoRefreshToken: false, storageKey: randomUUID() },
    global: {
      fetch: async (input, init) => {
        asked.push(new URL(input instanceof Request ? input.url : input).pathname);
        return await fetch(input, init);
      },
    },
  });
  const { data, error } = await client.auth.getClaims(token);
  return { email: data?.claims["email"], error, asked };
}

/** The claims of a token, signed in another way. */
async function forge(
  token: string,
  header: JWTHeaderParameters,
  key: KeyObject | Uint8Array,
): Promise<string> {
  return await new SignJWT(decodeJwt(token)).setProtectedHeader(header).sign(key);
}

beforeAll(async () => {
  host = await openRestartingHost();
  await startWith();
  await call(running, "/signup", { body: { email, password: testPassword } });
});
afterAll(async () => await host.stop());

test("a key goes from standby over in use and previous to revoked, and sessions go on", async () => {
  const bySecret = await signIn();
  expect(decodeProtectedHeader(bySecret.token)).toEqual({ alg: "HS256", typ: "JWT" });

  await startWith(a.jwk(onlyVerifies));
  expect(decodeProtectedHeader((await signIn()).token).alg).toBe("HS256");
  expect((await publishedKeys()).map(({ kid }) => kid)).toEqual([a.kid]);

  await startWith(a.jwk(inUse));
  const byA = await signIn();
  expect(decodeProtectedHeader(byA.token)).toEqual({ alg: "ES256", kid: a.kid, typ: "JWT" });
  expect(await rejectionsOf(running, byA.token)).toEqual([]);
  // API keys, and the tokens of before, are of the JWT secret.
  expect(await rejectionsOf(running, bySecret.token)).toEqual([]);
  expect((await publishedKeys()).map(({ kid }) => kid)).toEqual([a.kid]);

  await startWith(a.jwk(inUse), b.jwk(onlyVerifies));
  expect((await publishedKeys()).map(({ kid }) => kid)).toEqual([a.kid, b.kid]);
  expect(decodeProtectedHeader((await signIn()).token).kid).toBe(a.kid);

  await startWith(a.jwk(onlyVerifies), b.jwk(inUse));
  const byB = await signIn();
  expect(decodeProtectedHeader(byB.token)).toEqual({ alg: "RS256", kid: b.kid, typ: "JWT" });
  expect(await rejectionsOf(running, byB.token)).toEqual([]);
  expect(await rejectionsOf(running, byA.token)).toEqual([]);
  expect((await claimsOf(byA.token)).email).toBe(email);

  await startWith(b.jwk(inUse));
  expect(await rejectionsOf(running, byA.token)).toEqual(everyService);
  expect(await rejectionsOf(running, byB.token)).toEqual([]);
  expect((await claimsOf(byA.token)).error).not.toBeNull();
  const { status, body } = await call(running, "/token?grant_type=refresh_token", {
    body: { refresh_token: byA.refreshToken },
  });
  expect([status, decodeProtectedHeader(String(body["access_token"])).kid]).toEqual([200, b.kid]);

  // Back to the secret alone: what a key signed is refused, because no key is there any more.
  await startWith();
  expect(await rejectionsOf(running, byB.token)).toEqual(everyService);
  expect(await publishedKeys()).toEqual([]);
});

describe("with two keys", () => {
  let token: string;
  beforeAll(async () => {
    await startWith(a.jwk(inUse), b.jwk(onlyVerifies));
    ({ token } = await signIn());
  });

  test("the official client verifies a token by itself", async () => {
    const { asked, error, email: found } = await claimsOf(token);
    expect(error).toBeNull();
    expect(found).toBe(email);
    expect(asked).toEqual(["/auth/v1/.well-known/jwks.json"]);
    const changed = `${token.slice(0, -6)}AAAAAA`;
    expect((await claimsOf(changed)).error).not.toBeNull();
  });

  test("only public halves are published, for verifying alone", async () => {
    const [es, rs] = await publishedKeys();
    const common = { use: "sig", key_ops: ["verify"] };
    const { x, y } = a.publicKey.export({ format: "jwk" });
    expect(es).toEqual({ ...common, kid: a.kid, alg: "ES256", kty: "EC", crv: "P-256", x, y });
    const { n, e } = b.publicKey.export({ format: "jwk" });
    expect(rs).toEqual({ ...common, kid: b.kid, alg: "RS256", kty: "RSA", n, e });
  });

  test("a token of the standby key is accepted, as elsewhere that trusts the published keys", async () => {
    const standby = await forge(token, { alg: "RS256", kid: b.kid }, b.privateKey);
    expect(await rejectionsOf(running, standby)).toEqual([]);
  });

  const secret = new TextEncoder().encode(fixtureJwtSecret);
  const spki = (pair: Pair) =>
    new TextEncoder().encode(String(pair.publicKey.export({ type: "spki", format: "pem" })));
  const published = (pair: Pair) =>
    new TextEncoder().encode(JSON.stringify(pair.publicKey.export({ format: "jwk" })));
  const stranger = newPair("ES256");

  test.each<[string, JWTHeaderParameters, () => KeyObject | Uint8Array]>([
    ["HS256 over a public key", { alg: "HS256", kid: a.kid }, () => spki(a)],
    ["HS256 over a public key, without kid", { alg: "HS256" }, () => spki(a)],
    ["HS256 over the published JWK", { alg: "HS256", kid: b.kid }, () => published(b)],
    ["HS256 over the name of a key", { alg: "HS256", kid: a.kid }, () => Buffer.from(a.kid)],
    ["the JWT secret under the name of a key", { alg: "HS256", kid: a.kid }, () => secret],
    ["the JWT secret under an unknown name", { alg: "HS256", kid: randomUUID() }, () => secret],
    ["an unknown kid", { alg: "ES256", kid: stranger.kid }, () => stranger.privateKey],
    ["another key under a known kid", { alg: "ES256", kid: a.kid }, () => stranger.privateKey],
    ["a known key without its kid", { alg: "ES256" }, () => a.privateKey],
    ["the kid of a key with another algorithm", { alg: "RS256", kid: a.kid }, () => b.privateKey],
    ["another algorithm of the same key", { alg: "PS256", kid: b.kid }, () => b.privateKey],
    [
      "a key that it brings along",
      {
        alg: "ES256",
        kid: stranger.kid,
        jwk: stranger.publicKey.export({ format: "jwk" }),
      },
      () => stranger.privateKey,
    ],
  ])("a token signed with %s is refused everywhere", async (_, header, key) => {
    expect(await rejectionsOf(running, await forge(token, header, key()))).toEqual(everyService);
  });

  test.each([
    ["none", { alg: "none" }],
    ["none, and a known kid", { alg: "none", kid: a.kid }],
    ["no algorithm", { kid: a.kid }],
    ["a list as kid", { alg: "ES256", kid: [a.kid] }],
    ["a property of every object as kid", { alg: "ES256", kid: "__proto__" }],
  ])("a token with %s is refused everywhere, signed or not", async (_, header) => {
    const encoded = Buffer.from(JSON.stringify(header)).toString("base64url");
    const [, payload = "", signature = ""] = token.split(".");
    for (const end of ["", signature]) {
      const forged = `${encoded}.${payload}.${end}`;
      expect(await rejectionsOf(running, forged)).toEqual(everyService);
    }
  });

  test("a signing key makes no API key and no signed link", async () => {
    const key = await new SignJWT({ role: "service_role", sub: randomUUID() })
      .setProtectedHeader({ alg: "ES256", kid: a.kid })
      .setExpirationTime("5 minutes")
      .sign(a.privateKey);
    const asKey = await fetch(`${running.url}/rest/v1/`, { headers: { apikey: key } });
    expect(asKey.status).toBe(401);
    const link = await new SignJWT({ url: "shared/x.txt", scope: "download" })
      .setProtectedHeader({ alg: "ES256", kid: a.kid })
      .setExpirationTime("5 minutes")
      .sign(a.privateKey);
    const read = await fetch(`${running.url}/storage/v1/object/sign/shared/x.txt?token=${link}`);
    expect(read.status).toBe(400);
    expect(await read.json()).toMatchObject({ error: "InvalidJWT" });
  });
});
