import { afterAll, describe, expect, inject, test } from "vitest";
import { anonymous, newEmail, ownerPool, testPassword, signUp } from "../../support/clients.ts";
import { call } from "./requests.ts";

const host = inject("host");
const owner = ownerPool();
afterAll(async () => await owner.end());

function claimsOf(token: string | undefined): Record<string, unknown> {
  const payload = token?.split(".")[1] ?? "";
  return JSON.parse(Buffer.from(payload, "base64url").toString()) as Record<string, unknown>;
}

describe("sign-up", () => {
  test("returns an account and a session", async () => {
    const email = newEmail();
    const { data, error } = await anonymous().auth.signUp({ email, password: testPassword });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({
      email,
      aud: "authenticated",
      role: "authenticated",
      app_metadata: { provider: "email", providers: ["email"] },
      is_anonymous: false,
    });
    expect(data.user?.identities).toMatchObject([{ provider: "email", identity_data: { email } }]);
    expect(data.session).toMatchObject({ token_type: "bearer", expires_in: 3600 });
    expect(data.session?.refresh_token.length).toBeGreaterThanOrEqual(40);
  });

  test("issues the same claims as hosted projects", async () => {
    const { data } = await anonymous().auth.signUp({ email: newEmail(), password: testPassword });
    const claims = claimsOf(data.session?.access_token);
    expect(claims).toMatchObject({
      iss: `${host.url}/auth/v1`,
      sub: data.user?.id,
      aud: "authenticated",
      email: data.user?.email,
      phone: "",
      role: "authenticated",
      aal: "aal1",
      is_anonymous: false,
      app_metadata: { provider: "email" },
      user_metadata: {},
    });
    expect(claims["amr"]).toMatchObject([{ method: "password" }]);
    expect(claims["session_id"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(Number(claims["exp"]) - Number(claims["iat"])).toBe(3600);
    expect(data.session?.expires_at).toBe(claims["exp"]);
  });

  test("stores the caller's data in user_metadata only", async () => {
    const data = { name: "Ada", role: "service_role", app_metadata: { admin: true } };
    const { id, client } = await signUp(data);
    const { data: answer } = await client.auth.getUser();
    expect(answer.user?.user_metadata).toMatchObject(data);
    expect(answer.user?.role).toBe("authenticated");
    expect(answer.user?.app_metadata).toEqual({ provider: "email", providers: ["email"] });
    const { rows } = await owner.query(
      "select role, is_super_admin from auth.users where id = $1",
      [id],
    );
    expect(rows).toEqual([{ role: "authenticated", is_super_admin: null }]);
  });

  test("ignores role, id and app_metadata in the body", async () => {
    const email = newEmail();
    const id = "00000000-0000-4000-8000-000000000001";
    const extra = { id, role: "service_role", aud: "x", app_metadata: { admin: true } };
    const { status, body } = await call(host, "/signup", {
      body: { email, password: testPassword, ...extra },
    });
    expect(status).toBe(200);
    expect(body["user"]).toMatchObject({ role: "authenticated", aud: "authenticated" });
    expect(body["user"]).not.toMatchObject({ id });
    expect((body["user"] as { app_metadata: object }).app_metadata).not.toHaveProperty("admin");
  });

  test("stores neither the password nor the refresh token", async () => {
    const { id, client } = await signUp();
    const { data } = await client.auth.getSession();
    const { rows: users } = await owner.query<{ hash: string }>(
      "select encrypted_password as hash from auth.users where id = $1",
      [id],
    );
    expect(users[0]?.hash).toMatch(/^\$argon2id\$/);
    const { rows: tokens } = await owner.query<{ row: string }>(
      "select to_json(t)::text as row from auth.refresh_tokens t where user_id = $1",
      [id],
    );
    expect(tokens).toHaveLength(1);
    expect(tokens[0]?.row).not.toContain(data.session?.refresh_token);
  });

  test("rejects an address in use, in any letter case", async () => {
    const email = newEmail();
    await anonymous().auth.signUp({ email, password: testPassword });
    for (const spelling of [email, email.toUpperCase()]) {
      const { error } = await anonymous().auth.signUp({ email: spelling, password: testPassword });
      expect(error).toMatchObject({
        status: 422,
        code: "user_already_exists",
        message: "User already registered",
      });
    }
  });

  test("creates one account for concurrent sign-ups with one address", async () => {
    const email = newEmail();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => anonymous().auth.signUp({ email, password: testPassword })),
    );
    const rejected = answers.filter(({ error }) => error !== null);
    expect(answers.length - rejected.length).toBe(1);
    for (const { error } of rejected) expect(error?.code).toBe("user_already_exists");
    const { rows } = await owner.query("select id from auth.users where email = $1", [email]);
    expect(rows).toHaveLength(1);
  });

  test.each([
    ["nobody", "invalid format"],
    ["two@at@example.test", "invalid format"],
    ["space in@example.test", "invalid format"],
    ["a@-example.test", "invalid format"],
    [`${"a".repeat(65)}@example.test`, "invalid format"],
    [`a@${"b".repeat(256)}.test`, "too long"],
  ])("rejects %j as an address", async (email, reason) => {
    const { status, body } = await call(host, "/signup", {
      body: { email, password: testPassword },
    });
    expect(status).toBe(400);
    expect(body["code"]).toBe("validation_failed");
    expect(body["message"]).toContain(reason);
  });

  test("rejects NUL and invalid Unicode anywhere in the body", async () => {
    for (const data of [{ a: "x\0y" }, { "a\0": 1 }, { deep: [{ b: "\ud800" }] }]) {
      const { status, body } = await call(host, "/signup", {
        body: { email: newEmail(), password: testPassword, data },
      });
      expect([status, body["code"]]).toEqual([400, "validation_failed"]);
    }
  });

  test("rejects metadata that does not fit into a token", async () => {
    const { error } = await anonymous().auth.signUp({
      email: newEmail(),
      password: testPassword,
      options: { data: { long: "x".repeat(9000) } },
    });
    expect(error).toMatchObject({ status: 400, code: "validation_failed" });
  });

  test("names an address that is none before a password that is weak", async () => {
    const { error } = await anonymous().auth.signUp({ email: "no address", password: "abc" });
    expect(error).toMatchObject({
      status: 400,
      message: "Unable to validate email address: invalid format",
    });
  });

  test("rejects a password of more than 72 bytes", async () => {
    const { error } = await anonymous().auth.signUp({
      email: newEmail(),
      password: "Aa1!".repeat(19),
    });
    expect(error).toMatchObject({ status: 400, code: "validation_failed" });
  });

  test("supports neither anonymous nor phone accounts", async () => {
    const { error: anonymousError } = await anonymous().auth.signInAnonymously();
    expect(anonymousError?.code).toBe("anonymous_provider_disabled");
    const { error: phoneError } = await anonymous().auth.signUp({
      phone: "+441632960000",
      password: testPassword,
    });
    expect(phoneError?.code).toBe("phone_provider_disabled");
  });
});
