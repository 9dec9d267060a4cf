import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testPassword } from "../../support/clients.ts";
import { codesOf, enrollSecondFactor } from "../../support/second-factor.ts";
import { SoftwarePasskey, type Tampered } from "../../support/software-passkey.ts";
import { startConfirmingHost, type ConfirmingHost } from "./confirming-host.ts";
import { clientOf } from "./requests.ts";

const origin = "https://app.example.test";
const rpId = "app.example.test";
const tables = `[auth.mfa.web_authn]\nenroll_enabled = true\nverify_enabled = true
[auth.mfa.totp]\nenroll_enabled = true\nverify_enabled = true
[auth.email.notification.mfa_factor_enrolled]\nenabled = true`;

let host: ConfirmingHost;
beforeAll(async () => {
  host = await startConfirmingHost({ tables });
});
afterAll(async () => await host.stop());

async function signIn(email: string): Promise<SupabaseClient> {
  const client = clientOf(host.running);
  const { error } = await client.auth.signInWithPassword({ email, password: testPassword });
  if (error) throw error;
  return client;
}

async function member() {
  const { email } = await host.confirmed();
  return { email, client: await signIn(email) };
}

async function enroll(client: SupabaseClient, friendlyName = "Key"): Promise<string> {
  const { data, error } = await client.auth.mfa.enroll({ factorType: "webauthn", friendlyName });
  if (error) throw error;
  expect(data).toEqual({ id: expect.any(String), type: "webauthn", friendly_name: friendlyName });
  return data.id;
}

const text = (bytes: unknown) => Buffer.from(bytes as ArrayBuffer).toString("base64url");

/** Asks for a challenge, lets the key answer it, and sends the answer, all by the official client. */
async function answer(
  client: SupabaseClient,
  factorId: string,
  key: SoftwarePasskey,
  tampering: Tampered = {},
) {
  const asked = await client.auth.mfa.challenge({
    factorId,
    webauthn: { rpId, rpOrigins: [origin] },
  });
  if (asked.error) return { asked, send: undefined, data: null, error: asked.error };
  const { id: challengeId, webauthn } = asked.data;
  const options = webauthn.credential_options.publicKey;
  const challenge = text(options.challenge);
  const made =
    webauthn.type === "create" && "user" in options
      ? key.create({ challenge, user: { id: text(options.user.id) } }, tampering)
      : key.get({ challenge }, tampering);
  // A browser's credential, which the client turns into JSON by this method.
  const credential_response = { ...made, toJSON: () => made } as never;
  const send = async (id = factorId) =>
    await client.auth.mfa.verify({
      factorId: id,
      challengeId,
      webauthn: { rpId, rpOrigins: [origin], type: webauthn.type, credential_response },
    });
  return { asked, send, ...(await send()) };
}

const levelOf = async (client: SupabaseClient) =>
  (await client.auth.mfa.getAuthenticatorAssuranceLevel()).data;

/** A member whose account has a security key. */
async function withKey() {
  const { email, client } = await member();
  const key = new SoftwarePasskey(origin, rpId);
  const factorId = await enroll(client);
  const { error } = await answer(client, factorId, key);
  expect(error).toBeNull();
  return { email, client, key, factorId };
}

describe("a security key as second factor", () => {
  test("is enrolled, and every later sign-in needs it", async () => {
    const { email, client, key, factorId } = await withKey();
    expect(await levelOf(client)).toMatchObject({
      currentLevel: "aal2",
      currentAuthenticationMethods: expect.arrayContaining([
        { method: "mfa/webauthn", timestamp: expect.any(Number) },
      ]),
    });
    expect((await host.sink.next(email)).to).toContain(email);
    const again = await signIn(email);
    expect(await levelOf(again)).toMatchObject({ currentLevel: "aal1", nextLevel: "aal2" });
    const { asked, error } = await answer(again, factorId, key);
    expect(error).toBeNull();
    expect(asked.data).toMatchObject({
      type: "webauthn",
      webauthn: {
        type: "request",
        credential_options: { publicKey: { rpId, userVerification: "preferred" } },
      },
    });
    expect(await levelOf(again)).toMatchObject({ currentLevel: "aal2" });
    const { data } = await again.auth.mfa.listFactors();
    expect(data?.webauthn).toMatchObject([{ id: factorId, status: "verified" }]);
    expect(JSON.stringify(data)).not.toMatch(/credential|publicKey/);
  });

  test.each<[string, Tampered]>([
    ["another site", { origin: "https://evil.example" }],
    ["another domain", { rpId: "evil.example" }],
    ["another challenge", { challenge: Buffer.alloc(32).toString("base64url") }],
    ["another purpose", { type: "payment.get" }],
  ])("is neither enrolled nor taken for %s", async (_what, tampering) => {
    const { client } = await member();
    const factorId = await enroll(client);
    const refusal = { status: 422, code: "mfa_verification_failed" };
    const made = await answer(client, factorId, new SoftwarePasskey(origin, rpId), tampering);
    expect(made.error).toMatchObject(refusal);
    expect(await levelOf(client)).toMatchObject({ currentLevel: "aal1", nextLevel: "aal1" });
    const { email, key, factorId: known } = await withKey();
    const again = await signIn(email);
    expect((await answer(again, known, key, tampering)).error).toMatchObject(refusal);
    expect(await levelOf(again)).toMatchObject({ currentLevel: "aal1" });
  });

  test("is not replaced by another key, a copy of it, or an answer given before", async () => {
    const { email, key, factorId } = await withKey();
    const again = await signIn(email);
    const refusal = { status: 422, code: "mfa_verification_failed" };
    const other = new SoftwarePasskey(origin, rpId);
    expect((await answer(again, factorId, other, { userHandle: "AA" })).error).toMatchObject(
      refusal,
    );
    const good = await answer(again, factorId, key);
    expect(good.error).toBeNull();
    expect((await good.send?.())?.error).toMatchObject({ status: 422 });
    expect((await answer(again, factorId, key, { counter: 1 })).error).toMatchObject(refusal);
  });

  test("of another member, or a code in its place, opens nothing", async () => {
    const { email, key, factorId } = await withKey();
    const stranger = (await member()).client;
    const asked = await answer(stranger, factorId, key);
    expect(asked.error).toMatchObject({ status: 404, code: "mfa_factor_not_found" });
    const own = await enroll(stranger);
    const theirs = await answer(stranger, own, new SoftwarePasskey(origin, rpId));
    expect((await theirs.send?.(factorId))?.error).toMatchObject({ status: 404 });

    const again = await signIn(email);
    const { data } = await again.auth.mfa.challenge({ factorId, webauthn: { rpId } });
    const code = await again.auth.mfa.verify({
      factorId,
      challengeId: data?.id ?? "",
      code: "123456",
    });
    expect(code.error).toMatchObject({ status: 400, message: "WebAuthn config required" });
    expect(await levelOf(again)).toMatchObject({ currentLevel: "aal1" });
  });

  test("and an authenticator app don't answer for each other", async () => {
    const { client, key } = await withKey();
    const app = await enrollSecondFactor(client, "App");
    const { data } = await client.auth.mfa.challenge({ factorId: app.id });
    const made = key.get({ challenge: "AAAA" });
    const { error } = await client.auth.mfa.verify({
      factorId: app.id,
      challengeId: data?.id ?? "",
      webauthn: {
        rpId,
        type: "request",
        credential_response: { ...made, toJSON: () => made } as never,
      },
    });
    expect(error).toMatchObject({ status: 422, code: "mfa_verification_failed" });
    expect(codesOf(app.secret)()).toMatch(/^\d{6}$/);
  });

  test("is removed by its owner with it, and asked for no more", async () => {
    const { email, client, factorId } = await withKey();
    const again = await signIn(email);
    expect((await again.auth.mfa.unenroll({ factorId })).error).toMatchObject({
      code: "insufficient_aal",
    });
    // The client's token was raised by the key.
    expect((await client.auth.mfa.unenroll({ factorId })).error).toBeNull();
    await client.auth.refreshSession();
    expect(await levelOf(client)).toMatchObject({ currentLevel: "aal1", nextLevel: "aal1" });
  });
});

test("are named to the site where they can be added and used", async () => {
  const config = async ({ running }: ConfirmingHost) =>
    (await (await fetch(`${running.url}/config.json`)).json()) as unknown;
  expect(await config(host)).toMatchObject({ securityKeys: true });
  const half = await startConfirmingHost({
    tables: "[auth.mfa.web_authn]\nverify_enabled = true",
  });
  const named = await config(half);
  await half.stop();
  expect(named).not.toHaveProperty("securityKeys");
});

test("answers that are none are refused with a reason", async () => {
  const { client } = await member();
  const factorId = await enroll(client);
  const { data } = await client.auth.mfa.challenge({ factorId, webauthn: { rpId } });
  const { data: session } = await client.auth.getSession();
  const send = async (webauthn: unknown) => {
    const response = await fetch(`${host.running.url}/auth/v1/factors/${factorId}/verify`, {
      method: "POST",
      headers: {
        apikey: host.running.anonKey,
        authorization: `Bearer ${session.session?.access_token}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ challenge_id: data?.id, webauthn }),
    });
    return { status: response.status, body: (await response.json()) as unknown };
  };
  for (const wrong of [
    {},
    { type: "steal", credential_response: {} },
    { type: "create" },
    { type: "create", credential_response: "x" },
    { type: "create", credential_response: { id: "a", rawId: "a", type: "public-key" } },
  ]) {
    expect(await send(wrong)).toMatchObject({
      status: 400,
      body: { error_code: "validation_failed" },
    });
  }
  expect(await send("x")).toMatchObject({ status: 400 });
});
