import { randomUUID } from "node:crypto";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { newEmail, testPassword } from "../../support/clients.ts";
import { fixtureJwtSecret, startFixtureHost } from "../../support/start-fixture-host.ts";
import { call } from "./requests.ts";
import { everyService, isRejected, rejectionsOf } from "./token-statuses.ts";

const host = inject("host");
const iss = `${host.url}/auth/v1`;

async function sign(claims: Record<string, unknown>): Promise<string> {
  return await new SignJWT({ role: "authenticated", ...claims })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setExpirationTime("10 minutes")
    .sign(new TextEncoder().encode(host.jwtSecret));
}

describe("an access token", () => {
  const sub = randomUUID();

  test.each([
    ["of this install", { sub, aud: "authenticated", iss }],
    ["with several audiences", { sub, aud: ["other", "authenticated"], iss }],
    ["without an issuer", { sub, aud: "authenticated" }],
  ])("%s is accepted everywhere", async (_, claims) => {
    // Auth alone wants an account besides, which these tokens have not.
    expect(await rejectionsOf(host, await sign(claims))).toEqual(["auth"]);
  });

  test.each([
    ["for another audience", { sub, aud: "billing", iss }],
    ["without an audience", { sub, iss }],
    ["with an empty audience", { sub, aud: [], iss }],
    [
      "of another install with the same secret",
      { sub, aud: "authenticated", iss: "https://x.test/auth/v1" },
    ],
    ["with the issuer of platform keys", { sub, aud: "authenticated", iss: "supabase" }],
    ["without an account but for another audience", { aud: "billing" }],
    ["without an account from another install", { iss: "https://x.test/auth/v1" }],
  ])("%s is rejected everywhere", async (_, claims) => {
    expect(await rejectionsOf(host, await sign(claims))).toEqual(everyService);
  });
});

test("API keys from the configuration are accepted with any issuer", async () => {
  const key = async (role: string) =>
    await new SignJWT({ role, iss: "https://keys.example.test", aud: "api" })
      .setProtectedHeader({ alg: "HS256", typ: "JWT" })
      .setExpirationTime("10 minutes")
      .sign(new TextEncoder().encode(fixtureJwtSecret));
  const [anonKey, serviceRoleKey] = [await key("anon"), await key("service_role")];
  const fixture = await startFixtureHost({
    SUPABASE_ANON_KEY: anonKey,
    SUPABASE_SERVICE_ROLE_KEY: serviceRoleKey,
  });
  try {
    for (const apikey of [anonKey, serviceRoleKey]) {
      const headers = { apikey, authorization: `Bearer ${apikey}` };
      const answer = await fetch(`${fixture.running.url}/rest/v1/`, { headers });
      expect(isRejected(answer.status)).toBe(false);
    }
    const other = await key("anon");
    const headers = { apikey: anonKey, authorization: `Bearer ${other}x` };
    const answer = await fetch(`${fixture.running.url}/rest/v1/`, { headers });
    expect(answer.status).toBe(401);
  } finally {
    await fixture.stop();
  }
});

describe("an install whose address changes", () => {
  type Fixture = Awaited<ReturnType<typeof startFixtureHost>>;
  let before: Fixture;
  let after: Fixture;
  beforeAll(async () => {
    before = await startFixtureHost();
    after = await startFixtureHost({
      DATABASE_URL: before.running.databaseUrl,
      PUBLIC_URL: "https://new.example.test",
      SUPABASE_JWT_SECRET: fixtureJwtSecret,
      SUPABASE_ANON_KEY: before.running.anonKey,
      SUPABASE_SERVICE_ROLE_KEY: before.running.serviceRoleKey,
    });
  });
  afterAll(async () => {
    await after.stop();
    await before.stop();
  });

  test("keeps its sessions on both addresses", async () => {
    const email = newEmail();
    const old = await call(before.running, "/signup", { body: { email, password: testPassword } });
    const signIn = { email, password: testPassword };
    const fresh = await call(after.running, "/token?grant_type=password", { body: signIn });
    for (const { running } of [before, after]) {
      for (const { body } of [old, fresh]) {
        const headers = { authorization: `Bearer ${String(body["access_token"])}` };
        expect((await call(running, "/user", { headers })).status).toBe(200);
      }
    }
  });
});
