import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newEmail, testPassword } from "../../support/clients.ts";
import { enrollSecondFactor } from "../../support/second-factor.ts";
import { startSignInStandIns, throughProvider } from "../../support/sign-in-stand-ins.ts";
import { SoftwarePasskey, type Tampered } from "../../support/software-passkey.ts";
import { startConfirmingHost, type ConfirmingHost } from "./confirming-host.ts";
import { call, clientOf } from "./requests.ts";
import { startHostWith } from "./start-host-with.ts";

const origin = "https://app.example.test";
const rpId = "app.example.test";
const tables = `[auth.passkey]\nenabled = true
[auth.mfa.totp]\nenroll_enabled = true\nverify_enabled = true
[auth.email.notification.identity_linked]\nenabled = true
[auth.email.notification.identity_unlinked]\nenabled = true`;

let host: ConfirmingHost;
beforeAll(async () => {
  host = await startConfirmingHost({ tables });
});
afterAll(async () => await host.stop());

/** The official client with passkeys, which it has as an experiment. */
function browser(running = host.running): SupabaseClient {
  return createClient(running.url, running.anonKey, {
    auth: {
      persistSession: false,
      autoRefreshToken: false,
      detectSessionInUrl: false,
      experimental: { passkey: true },
    },
  });
}

async function member(): Promise<{ client: SupabaseClient; email: string; id: string }> {
  const { email, id } = await host.confirmed();
  const client = browser();
  await client.auth.signInWithPassword({ email, password: testPassword });
  return { client, email, id };
}

type Options = { challenge: string; user: { id: string } };

async function register(
  client: SupabaseClient,
  passkey = new SoftwarePasskey(origin, rpId),
  tampering: Tampered = {},
) {
  const started = await client.auth.passkey.startRegistration();
  if (started.error) return { passkey, data: null, error: started.error };
  const { challenge_id: challengeId, options } = started.data;
  const credential = passkey.create(options, tampering);
  const { data, error } = await client.auth.passkey.verifyRegistration({ challengeId, credential });
  return { passkey, data, error };
}

async function signIn(passkey: SoftwarePasskey, tampering: Tampered = {}, client = browser()) {
  const { data: started, error } = await client.auth.passkey.startAuthentication();
  if (error) return { client, data: null, error };
  const credential = passkey.get(started.options, tampering);
  const challengeId = started.challenge_id;
  return {
    client,
    ...(await client.auth.passkey.verifyAuthentication({ challengeId, credential })),
  };
}

describe("a passkey", () => {
  test("is added, tells the owner, and signs in without an address", async () => {
    const { client, email, id } = await member();
    const { passkey, data, error } = await register(client);
    expect(error).toBeNull();
    expect(data).toMatchObject({ id: expect.any(String), created_at: expect.any(String) });
    expect((await host.sink.next(email)).text).toContain("a passkey");
    const visitor = await signIn(passkey);
    expect(visitor.error).toBeNull();
    expect(visitor.data?.user).toMatchObject({ id, email });
    const level = await visitor.client.auth.mfa.getAuthenticatorAssuranceLevel();
    expect(level.data?.currentAuthenticationMethods).toMatchObject([{ method: "passkey" }]);
    const { data: listed } = await client.auth.passkey.list();
    expect(listed).toMatchObject([{ id: data?.id, last_used_at: expect.any(String) }]);
  });

  test("is asked for with verification of the person, and for no account", async () => {
    const { body } = await call(host.running, "/passkeys/authentication/options", { body: {} });
    expect(body["options"]).toMatchObject({ rpId, userVerification: "required" });
    expect(body["options"]).not.toHaveProperty("allowCredentials", [expect.anything()]);
    const { client, email } = await member();
    const first = await register(client);
    const { data } = await client.auth.passkey.startRegistration();
    expect(data?.options).toMatchObject({
      rp: { id: rpId, name: "Example & Sons" },
      user: { name: email },
      attestation: "none",
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      excludeCredentials: [{ id: first.passkey.id.toString("base64url") }],
    });
  });

  test.each<[string, Tampered]>([
    ["another site", { origin: "https://evil.example" }],
    ["a site below the same domain", { origin: "https://blog.app.example.test" }],
    ["another domain", { rpId: "evil.example" }],
    ["another challenge", { challenge: Buffer.alloc(32).toString("base64url") }],
    ["an unverified person", { isUserVerified: false }],
    ["another purpose", { type: "payment.get" }],
  ])("is neither added nor taken for %s", async (_what, tampering) => {
    const { client } = await member();
    const refused = await register(client, undefined, tampering);
    expect(refused.error).toMatchObject({ status: 400, code: "webauthn_verification_failed" });
    expect((await client.auth.passkey.list()).data).toEqual([]);
    const { passkey } = await register(client);
    const answer = await signIn(passkey, tampering);
    expect(answer.error).toMatchObject({ status: 400, code: "webauthn_verification_failed" });
    expect((await signIn(passkey)).error).toBeNull();
  });

  test("that counts back is a copy, and opens nothing", async () => {
    const { passkey } = await register((await member()).client);
    for (const counter of [5, 6]) expect((await signIn(passkey, { counter })).error).toBeNull();
    for (const counter of [6, 5, 0]) {
      expect((await signIn(passkey, { counter })).error).toMatchObject({
        code: "webauthn_verification_failed",
      });
    }
  });

  test("opens no other account, whatever account it names", async () => {
    const [one, two] = [await member(), await member()];
    const { passkey } = await register(one.client);
    const other = await register(two.client);
    for (const userHandle of [other.passkey.userHandle, "", "x"]) {
      expect((await signIn(passkey, { userHandle })).error).toMatchObject({ status: 400 });
    }
    const unknown = new SoftwarePasskey(origin, rpId);
    unknown.userHandle = passkey.userHandle;
    expect((await signIn(unknown)).error).toMatchObject({ code: "webauthn_verification_failed" });
    const taken = await register(two.client, passkey);
    expect(taken.error).toMatchObject({ status: 422, code: "webauthn_credential_exists" });
  });

  test("opens no account that is banned, and its list needs a session", async () => {
    const { client, id } = await member();
    const { passkey } = await register(client);
    await host.admin.updateUserById(id, { ban_duration: "1h" });
    expect((await signIn(passkey)).error).toMatchObject({ status: 403, code: "user_banned" });
    const anonymous = await call(host.running, "/passkeys");
    expect(anonymous.status).toBe(401);
  });
});

describe("a challenge", () => {
  test("counts once, for its own purpose, account and five minutes", async () => {
    const { client } = await member();
    const { passkey } = await register(client);
    const open = async () => (await browser().auth.passkey.startAuthentication()).data;
    const answer = async (challengeId: string, credential: ReturnType<SoftwarePasskey["get"]>) =>
      (await browser().auth.passkey.verifyAuthentication({ challengeId, credential })).error?.code;
    const started = await open();
    const id = started?.challenge_id ?? "";
    const credential = passkey.get(started?.options as unknown as Options);
    expect(await answer(id, credential)).toBeUndefined();
    expect(await answer(id, credential)).toBe("webauthn_challenge_not_found");

    // A wrong answer uses it up, too.
    const wrong = await open();
    const wrongId = wrong?.challenge_id ?? "";
    const options = wrong?.options as unknown as Options;
    expect(await answer(wrongId, passkey.get(options, { origin: "https://evil.example" }))).toBe(
      "webauthn_verification_failed",
    );
    expect(await answer(wrongId, passkey.get(options))).toBe("webauthn_challenge_not_found");

    const late = await open();
    await host.owner.query(
      "update auth.webauthn_challenges set expires_at = now() - interval '1 second' where id = $1",
      [late?.challenge_id],
    );
    const lateAnswer = passkey.get(late?.options as unknown as Options);
    expect(await answer(late?.challenge_id ?? "", lateAnswer)).toBe("webauthn_challenge_expired");

    const other = await member();
    const { data: mine } = await client.auth.passkey.startRegistration();
    const created = new SoftwarePasskey(origin, rpId).create(mine?.options as unknown as Options);
    const challengeId = mine?.challenge_id ?? "";
    const stolen = await other.client.auth.passkey.verifyRegistration({
      challengeId,
      credential: created,
    });
    expect(stolen.error?.code).toBe("webauthn_challenge_not_found");
    expect(await answer(challengeId, credential)).toBe("webauthn_challenge_not_found");
  });

  test("is answered by nonsense with 400", async () => {
    const { body } = await call(host.running, "/passkeys/authentication/options", { body: {} });
    const challenge_id = body["challenge_id"];
    const whole = new SoftwarePasskey(origin, rpId).get({ challenge: "x" });
    for (const nonsense of [
      {},
      { challenge_id },
      { challenge_id, credential: null },
      { challenge_id, credential: { ...whole, id: "%%%" } },
      { challenge_id, credential: { ...whole, type: "password" } },
      { challenge_id, credential: { ...whole, response: { clientDataJSON: "e30" } } },
      { challenge_id: "x", credential: whole },
      { challenge_id: crypto.randomUUID(), credential: whole },
      { challenge_id, credential: whole },
    ]) {
      const answer = await call(host.running, "/passkeys/authentication/verify", {
        body: nonsense,
      });
      expect(answer.status).toBe(400);
    }
    const { client } = await member();
    const { data } = await client.auth.getSession();
    const headers = { authorization: `Bearer ${data.session?.access_token}` };
    for (const attestationObject of ["e30", "____", "A".repeat(9000)]) {
      const { data: started } = await client.auth.passkey.startRegistration();
      const created = new SoftwarePasskey(origin, rpId).create(
        started?.options as unknown as Options,
      );
      const credential = { ...created, response: { ...created.response, attestationObject } };
      const sent = { challenge_id: started?.challenge_id, credential };
      const path = "/passkeys/registration/verify";
      expect((await call(host.running, path, { body: sent, headers })).status).toBe(400);
    }
  });
});

describe("managing passkeys", () => {
  test("renames and removes one's own, which ends the sessions it began and tells the owner", async () => {
    const { client, email } = await member();
    const { passkey, data } = await register(client);
    await host.sink.next(email);
    const passkeyId = data?.id ?? "";
    const renamed = await client.auth.passkey.update({ passkeyId, friendlyName: " My phone " });
    expect(renamed.data).toMatchObject({ id: passkeyId, friendly_name: "My phone" });
    for (const friendlyName of ["", " ", "x".repeat(121)]) {
      const { error } = await client.auth.passkey.update({ passkeyId, friendlyName });
      expect(error?.status).toBe(400);
    }
    const thief = await signIn(passkey);
    expect((await client.auth.passkey.delete({ passkeyId })).error).toBeNull();
    expect((await thief.client.auth.getUser()).error).not.toBeNull();
    expect((await signIn(passkey)).error).toMatchObject({ code: "webauthn_verification_failed" });
    expect((await client.auth.getUser()).error).toBeNull();
    expect((await host.sink.next(email)).text).toMatch(
      /can no longer sign in[\s\S]+ with a passkey/,
    );
  });

  test("leaves those of others alone", async () => {
    const [one, two] = [await member(), await member()];
    const { data } = await register(one.client);
    const passkeyId = data?.id ?? "";
    for (const id of [passkeyId, crypto.randomUUID(), "x"]) {
      const renamed = await two.client.auth.passkey.update({ passkeyId: id, friendlyName: "mine" });
      expect(renamed.error?.status).toBe(404);
      expect((await two.client.auth.passkey.delete({ passkeyId: id })).error?.status).toBe(404);
    }
    expect((await one.client.auth.passkey.list()).data).toHaveLength(1);
  });

  test("takes the second factor of an account that has one", async () => {
    const { client, email } = await member();
    const { passkey, data } = await register(client);
    await enrollSecondFactor(client);
    const half = await signIn(passkey);
    const level = await half.client.auth.mfa.getAuthenticatorAssuranceLevel();
    expect(level.data).toMatchObject({ currentLevel: "aal1", nextLevel: "aal2" });
    expect((await register(half.client)).error).toMatchObject({ code: "insufficient_aal" });
    const removed = await half.client.auth.passkey.delete({ passkeyId: data?.id ?? "" });
    expect(removed.error).toMatchObject({ code: "insufficient_aal" });
    expect((await register(client)).error).toBeNull();
    expect(email).toContain("@");
  });

  test("stops at ten, also when they come at once", async () => {
    const { client } = await member();
    for (let made = 0; made < 8; made += 1) expect((await register(client)).error).toBeNull();
    const results = await Promise.all([1, 2, 3, 4].map(async () => await register(client)));
    const refused = results.filter(({ error }) => error?.code === "too_many_passkeys");
    expect(refused).toHaveLength(2);
    expect((await client.auth.passkey.list()).data).toHaveLength(10);
    expect((await register(client)).error).toMatchObject({ code: "too_many_passkeys" });
  });

  test("is the service role's, too", async () => {
    const { client, id } = await member();
    const { data } = await register(client);
    const { data: listed } = await host.admin.passkey.listPasskeys({ userId: id });
    expect(listed).toMatchObject([{ id: data?.id }]);
    const gone = await host.admin.passkey.deletePasskey({ userId: id, passkeyId: data?.id ?? "" });
    expect(gone.error).toBeNull();
    expect((await client.auth.passkey.list()).data).toEqual([]);
    const forbidden = await client.auth.admin.passkey.listPasskeys({ userId: id });
    expect(forbidden.error?.status).toBe(403);
  });
});

describe("passkeys and the rest", () => {
  test("are gone with an account whose address another proves", async () => {
    const standIns = await startSignInStandIns();
    const config = `[auth]\nsite_url = "${origin}"\n[auth.passkey]\nenabled = true
[auth.webauthn]\nrp_id = "${rpId}"\nrp_origins = ["${origin}"]`;
    const { running, stop } = await startHostWith(config, { env: standIns.env });
    try {
      const email = newEmail();
      const attacker = browser(running);
      await attacker.auth.signUp({ email, password: testPassword });
      const { passkey } = await register(attacker);
      expect((await signIn(passkey, {}, browser(running))).error).toBeNull();
      const owner = clientOf(running, "pkce");
      const target = await throughProvider(owner, "google", { email });
      await owner.auth.exchangeCodeForSession(target.searchParams.get("code") ?? "");
      expect((await signIn(passkey, {}, browser(running))).error).toMatchObject({
        code: "webauthn_verification_failed",
      });
    } finally {
      await stop();
      await standIns.stop();
    }
  });

  test("are off unless they are turned on, and told where they are", async () => {
    const { running, stop } = await startHostWith("");
    try {
      const off = await call(running, "/passkeys/authentication/options", { body: {} });
      expect(off).toMatchObject({ status: 404, body: { code: "passkey_disabled" } });
      expect((await call(running, "/passkeys")).body).toMatchObject({ code: "passkey_disabled" });
      expect((await call(running, "/settings")).body).toMatchObject({ passkeys_enabled: false });
      expect(await (await fetch(`${running.url}/config.json`)).json()).not.toHaveProperty(
        "passkeys",
      );
    } finally {
      await stop();
    }
    expect((await call(host.running, "/settings")).body).toMatchObject({ passkeys_enabled: true });
    const config = await fetch(`${host.running.url}/config.json`);
    expect(await config.json()).toMatchObject({ passkeys: true });
  });

  test("are for origins of one domain", async () => {
    const config = `[auth.passkey]\nenabled = true\n[auth.webauthn]\nrp_id = "club.example"
rp_origins = ["https://club.example", "https://evil.example"]`;
    await expect(startHostWith(config)).rejects.toThrow(/evil\.example is not of the domain/);
  });
});
