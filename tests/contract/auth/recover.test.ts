import { afterAll, describe, expect, inject, test } from "vitest";
import { anonymous, newEmail, ownerPool, testPassword, signUp } from "../../support/clients.ts";
import { call, clientOf, fragmentOf, inboxOf, linkIn, openLink } from "./requests.ts";

const host = inject("host");
const owner = ownerPool();
afterAll(async () => await owner.end());

const newPassword = "New-Horse-Battery-7!";

async function ask(email: string, redirectTo?: string): Promise<URL> {
  const { error } = await anonymous().auth.resetPasswordForEmail(
    email,
    redirectTo === undefined ? {} : { redirectTo },
  );
  if (error) throw error;
  return linkIn((await inboxOf(host, email))[0]);
}

async function sessionFrom(link: URL) {
  const tokens = fragmentOf(await openLink(link));
  const client = anonymous();
  const { error } = await client.auth.setSession({
    access_token: tokens["access_token"] ?? "",
    refresh_token: tokens["refresh_token"] ?? "",
  });
  if (error) throw error;
  return client;
}

describe("a forgotten password", () => {
  test("is replaced through the link, which ends every other session", async () => {
    const { email, client: elsewhere } = await signUp();
    const client = await sessionFrom(await ask(email));
    const { error } = await client.auth.updateUser({ password: newPassword });
    expect(error).toBeNull();
    expect((await client.auth.getUser()).data.user?.email).toBe(email);
    expect((await elsewhere.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
    const old = await anonymous().auth.signInWithPassword({ email, password: testPassword });
    expect(old.error?.code).toBe("invalid_credentials");
    const fresh = await anonymous().auth.signInWithPassword({ email, password: newPassword });
    expect(fresh.error).toBeNull();
  });

  test("has a link that redirects to the requested URL with the fields the client expects", async () => {
    const { email } = await signUp();
    const target = await openLink(await ask(email, `${host.url}/reset?step=1`));
    expect(`${target.origin}${target.pathname}${target.search}`).toBe(`${host.url}/reset?step=1`);
    expect(fragmentOf(target)).toMatchObject({
      type: "recovery",
      token_type: "bearer",
      expires_in: "3600",
      access_token: expect.stringMatching(/^ey/) as string,
      refresh_token: expect.any(String) as string,
      expires_at: expect.stringMatching(/^\d+$/) as string,
    });
  });

  test("has a link that works once", async () => {
    const { email } = await signUp();
    const link = await ask(email);
    await openLink(link);
    expect(fragmentOf(await openLink(link))).toMatchObject({
      error: "access_denied",
      error_code: "otp_expired",
      error_description: "Email link is invalid or has expired",
    });
  });

  test("has a link that mail scanners may request with HEAD", async () => {
    const { email } = await signUp();
    const link = await ask(email);
    expect((await fetch(link, { method: "HEAD", redirect: "manual" })).status).toBe(200);
    expect(fragmentOf(await openLink(link))).toHaveProperty("access_token");
  });

  test("has a link that works for an hour, alongside others", async () => {
    const { email, id } = await signUp();
    const first = await ask(email);
    const second = await ask(email);
    expect(fragmentOf(await openLink(first))).toHaveProperty("access_token");
    await owner.query(
      "update auth.one_time_tokens set created_at = created_at - interval '61 min' where user_id = $1",
      [id],
    );
    expect(fragmentOf(await openLink(second))["error_code"]).toBe("otp_expired");
  });

  test("has a link of at least 128 bits, and only its hash is stored", async () => {
    const { email, id } = await signUp();
    const token = (await ask(email)).searchParams.get("token") ?? "";
    expect(Buffer.from(token, "base64url").length).toBeGreaterThanOrEqual(16);
    const { rows } = await owner.query<{ row: string }>(
      "select to_json(t)::text as row from auth.one_time_tokens t where user_id = $1",
      [id],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row).not.toContain(token);
    const users = await owner.query<{ row: string }>(
      "select to_json(u)::text as row from auth.users u where id = $1",
      [id],
    );
    expect(users.rows[0]?.row).not.toContain(token);
  });

  test("has the same response for unknown addresses", async () => {
    const { email } = await signUp();
    const attempt = async (address: string) => {
      const startedAt = performance.now();
      const { status, body } = await call(host, "/recover", { body: { email: address } });
      return { status, body, ms: performance.now() - startedAt };
    };
    const unknownEmail = newEmail();
    const [known, unknown] = [await attempt(email), await attempt(unknownEmail)];
    expect([known.status, known.body]).toEqual([200, {}]);
    expect([unknown.status, unknown.body]).toEqual([200, {}]);
    // Both responses take at least the same minimum time.
    expect(Math.min(known.ms, unknown.ms)).toBeGreaterThan(50);
    expect(await inboxOf(host, unknownEmail)).toEqual([]);
  });

  test("never uses a host from the request", async () => {
    const { email } = await signUp();
    for (const evil of ["https://evil.test/steal", "//evil.test", `${host.url}.evil.test/`]) {
      const link = await ask(email, evil);
      expect(link.origin).toBe(host.url);
      expect((await openLink(link)).origin).toBe(host.url);
    }
    await call(host, "/recover", {
      body: { email },
      headers: {
        host: "evil.test",
        "x-forwarded-host": "evil.test",
        referer: "https://evil.test/",
      },
    });
    const mail = (await inboxOf(host, email))[0];
    expect(mail?.text).not.toContain("evil.test");
  });

  test("does not accept a link of another type", async () => {
    const { email } = await signUp();
    const link = await ask(email);
    link.searchParams.set("type", "signup");
    expect(fragmentOf(await openLink(link))["error_code"]).toBe("otp_expired");
    const token_hash = link.searchParams.get("token") ?? "";
    const wrong = await anonymous().auth.verifyOtp({ token_hash, type: "email_change" });
    expect(wrong.error).toMatchObject({ status: 403, code: "otp_expired" });
    const right = await anonymous().auth.verifyOtp({ token_hash, type: "recovery" });
    expect(right.data.session?.access_token).toMatch(/^ey/);
  });

  test("works by code exchange for the PKCE client that requested it", async () => {
    const { email, id } = await signUp();
    const client = clientOf(host, "pkce");
    await client.auth.resetPasswordForEmail(email, { redirectTo: `${host.url}/reset` });
    const target = await openLink(linkIn((await inboxOf(host, email))[0]));
    expect(target.hash).toBe("");
    const code = target.searchParams.get("code") ?? "";
    const stolen = await call(host, "/token?grant_type=pkce", {
      body: { auth_code: code, code_verifier: "v".repeat(64) },
    });
    expect([stolen.status, stolen.body["code"]]).toEqual([400, "bad_code_verifier"]);
    const { data, error } = await client.auth.exchangeCodeForSession(code);
    expect(error).toBeNull();
    expect(data.user?.id).toBe(id);
    const again = await call(host, "/token?grant_type=pkce", {
      body: { auth_code: code, code_verifier: "v".repeat(64) },
    });
    expect([again.status, again.body["code"]]).toEqual([404, "flow_state_not_found"]);
  });
});
