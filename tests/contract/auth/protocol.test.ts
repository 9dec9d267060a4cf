import { describe, expect, inject, test } from "vitest";
import { newEmail, testPassword, signUp } from "../../support/clients.ts";
import { call } from "./requests.ts";

const host = inject("host");
const wrong = { email: "nobody@example.test", password: "Wrong-Horse-42!" };

describe("the error format", () => {
  test("is {code, message} for clients of 2024 and later", async () => {
    const { headers, body } = await call(host, "/token?grant_type=password", { body: wrong });
    expect(body).toEqual({ code: "invalid_credentials", message: "Invalid login credentials" });
    expect(headers.get("x-supabase-api-version")).toBe("2024-01-01");
    expect(headers.get("x-sb-error-code")).toBe("invalid_credentials");
  });

  test.each(["", "2023-06-01", "nonsense"])(
    "is the older format for version %j",
    async (version) => {
      const { headers, body } = await call(host, "/token?grant_type=password", {
        body: wrong,
        headers: { "x-supabase-api-version": version },
      });
      expect(body).toEqual({
        code: 400,
        error_code: "invalid_credentials",
        msg: "Invalid login credentials",
      });
      expect(headers.get("x-supabase-api-version")).toBeNull();
    },
  );

  test.each(["/token?grant_type=password", "/user", "/settings", "/nothing"])(
    "answers of %s are kept by no cache",
    async (path) => {
      expect((await call(host, path, { body: wrong })).headers.get("cache-control")).toBe(
        "no-store",
      );
    },
  );

  test("any origin may call and read the headers the client needs", async () => {
    const preflight = await fetch(`${host.url}/auth/v1/token`, {
      method: "OPTIONS",
      headers: {
        origin: "https://app.example.test",
        "access-control-request-method": "POST",
        "access-control-request-headers":
          "apikey,authorization,x-client-info,x-supabase-api-version",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.get("access-control-allow-headers")).toContain("apikey");
    const { headers } = await call(host, "/user", {
      headers: { origin: "https://app.example.test" },
    });
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-expose-headers")).toContain("X-Total-Count");
  });
});

describe("API keys", () => {
  test("are required, in a header or the query string", async () => {
    const ask = async (path: string, headers: Record<string, string> = {}) =>
      (await fetch(`${host.url}/auth/v1${path}`, { headers })).status;
    expect(await ask("/settings")).toBe(401);
    expect(await ask("/settings", { apikey: "nonsense" })).toBe(401);
    expect(await ask("/settings", { apikey: host.anonKey })).toBe(200);
    expect(await ask("/settings", { apikey: host.publishableKey })).toBe(200);
    expect(await ask(`/settings?apikey=${host.anonKey}`)).toBe(200);
  });

  test("are not required for links, health checks and the key set", async () => {
    const ask = async (path: string) =>
      await fetch(`${host.url}/auth/v1${path}`, { redirect: "manual" });
    expect((await ask("/verify?type=signup&token=x")).status).toBe(303);
    expect(await (await ask("/health")).json()).toMatchObject({ name: "GoTrue" });
    expect(await (await ask("/.well-known/jwks.json")).json()).toEqual({ keys: [] });
  });
});

describe("supported and unsupported features", () => {
  test("settings list e-mail as the only enabled provider", async () => {
    const { body } = await call(host, "/settings");
    expect(body).toMatchObject({
      external: { email: true, phone: false, google: false, anonymous_users: false },
      disable_signup: false,
      mailer_autoconfirm: true,
    });
  });

  test("an account without a second factor needs none", async () => {
    const { client } = await signUp();
    const factors = await client.auth.mfa.listFactors();
    expect(factors.data).toMatchObject({ all: [], totp: [] });
    const challenge = await client.auth.mfa.challenge({ factorId: "x" });
    expect(challenge.error).toMatchObject({ status: 404, code: "validation_failed" });
    const level = await client.auth.mfa.getAuthenticatorAssuranceLevel();
    expect(level.data).toMatchObject({ currentLevel: "aal1", nextLevel: "aal1" });
  });

  test("the client verifies tokens through the API, because there is no public key", async () => {
    const { client, id } = await signUp();
    const { data, error } = await client.auth.getClaims();
    expect(error).toBeNull();
    expect(data?.claims.sub).toBe(id);
  });

  test.each([
    ["GET", "/authorize?provider=google", 400],
    ["POST", "/sso", 404],
    ["GET", "/nothing/here", 404],
    ["DELETE", "/token", 404],
    ["POST", "/passkeys/authentication/options", 404],
  ])("%s %s responds %i", async (method, path, status) => {
    const answer = await call(host, path, method === "POST" ? { body: {} } : { method });
    expect(answer.status).toBe(status);
    expect(answer.body["code"]).toEqual(expect.any(String));
  });

  test("a link without a token or with an unknown type is an error", async () => {
    expect((await call(host, "/verify?type=signup")).status).toBe(400);
    expect((await call(host, "/verify?token=x")).status).toBe(400);
    const { headers } = await call(host, "/verify?type=toString&token=x");
    expect(headers.get("location")).toContain("error_code=validation_failed");
    const { body } = await call(host, "/verify", {
      body: { type: "recovery", token: "1", token_hash: "2" },
    });
    expect(body["code"]).toBe("validation_failed");
  });

  test("bodies above the size limit are rejected", async () => {
    const body = { email: newEmail(), password: testPassword, data: { long: "x".repeat(70_000) } };
    const answer = await call(host, "/signup", { body });
    expect([answer.status, answer.body["code"]]).toEqual([413, "request_entity_too_large"]);
  });
});
