import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { newEmail, testPassword } from "../../support/clients.ts";
import { enrollSecondFactor } from "../../support/second-factor.ts";
import {
  answerAt,
  goBack,
  startSignInStandIns,
  standInClientId,
  throughProvider,
  type SignInStandIns,
} from "../../support/sign-in-stand-ins.ts";
import { startConfirmingHost, type ConfirmingHost } from "./confirming-host.ts";
import { clientOf } from "./requests.ts";
import { startHostWith } from "./start-host-with.ts";

let standIns: SignInStandIns;
let host: ConfirmingHost;
beforeAll(async () => {
  standIns = await startSignInStandIns();
  const tables = `[auth.mfa.totp]\nenroll_enabled = true\nverify_enabled = true
[auth.email.notification.identity_unlinked]\nenabled = true`;
  const auth = "enable_manual_linking = true";
  host = await startConfirmingHost({ env: standIns.env, auth, tables });
});
afterAll(async () => {
  await host.stop();
  await standIns.stop();
});
afterEach(() => {
  standIns.google.tampering = {};
});

/** A confirmed account in a browser that uses PKCE. */
async function member(): Promise<{ email: string; id: string; client: SupabaseClient }> {
  const { email, id } = await host.confirmed();
  const client = clientOf(host.running, "pkce");
  await client.auth.signInWithPassword({ email, password: testPassword });
  return { email, id, client };
}

/** Goes through `linkIdentity` up to the code. */
async function linkGoogle(client: SupabaseClient, email: string): Promise<URL> {
  const { data, error } = await client.auth.linkIdentity({
    provider: "google",
    options: { skipBrowserRedirect: true },
  });
  if (error) throw error;
  return await goBack(await answerAt(data.url ?? "", { email }));
}

const codeIn = (target: URL) => target.searchParams.get("code") ?? "";
const identitiesOf = async (client: SupabaseClient) =>
  (await client.auth.getUserIdentities()).data?.identities ?? [];
const providersOf = async (client: SupabaseClient) =>
  (await identitiesOf(client)).map(({ provider }) => provider).toSorted();

describe("linkIdentity", () => {
  test("adds an account at a provider, whatever its address, when the same browser finishes", async () => {
    const { client, id, email } = await member();
    const other = newEmail();
    standIns.google.tampering = { claims: { email_verified: false } };
    const target = await linkGoogle(client, other);
    expect(await providersOf(client)).toEqual(["email"]);
    const { error } = await client.auth.exchangeCodeForSession(codeIn(target));
    expect(error).toBeNull();
    expect(await providersOf(client)).toEqual(["email", "google"]);
    const next = clientOf(host.running, "pkce");
    const opened = await throughProvider(next, "google", { email: other });
    const { data } = await next.auth.exchangeCodeForSession(codeIn(opened));
    expect(data.user).toMatchObject({ id, email });
  });

  test("gives an attacker nothing who has the victim follow the link to the provider", async () => {
    const attacker = await member();
    const victim = newEmail();
    const { data } = await attacker.client.auth.linkIdentity({
      provider: "google",
      options: { skipBrowserRedirect: true },
    });
    // The victim agrees at the provider and comes back; their browser has no verifier.
    const target = await goBack(await answerAt(data.url ?? "", { email: victim }));
    const victimBrowser = clientOf(host.running, "pkce");
    expect((await victimBrowser.auth.exchangeCodeForSession(codeIn(target))).error).not.toBeNull();
    expect(await providersOf(attacker.client)).toEqual(["email"]);
    const owner = clientOf(host.running, "pkce");
    const signedIn = await throughProvider(owner, "google", { email: victim });
    const { data: session } = await owner.auth.exchangeCodeForSession(codeIn(signedIn));
    expect(session.user?.id).not.toBe(attacker.id);
  });

  test("needs PKCE, a session and, where there is one, the second factor", async () => {
    const { client, email } = await member();
    const implicit = clientOf(host.running, "implicit");
    await implicit.auth.signInWithPassword({ email, password: testPassword });
    const without = await implicit.auth.linkIdentity({ provider: "google" });
    expect(without.error).toMatchObject({ code: "validation_failed" });
    const nobody = await clientOf(host.running, "pkce").auth.linkIdentity({ provider: "google" });
    expect(nobody.error?.status).toBeGreaterThanOrEqual(400);
    await enrollSecondFactor(client);
    const half = clientOf(host.running, "pkce");
    await half.auth.signInWithPassword({ email, password: testPassword });
    const refused = await half.auth.linkIdentity({ provider: "google" });
    expect(refused.error).toMatchObject({ status: 401, code: "insufficient_aal" });
  });

  test("takes no account that is linked already, here or to another", async () => {
    const [one, two] = [await member(), await member()];
    const address = newEmail();
    await one.client.auth.exchangeCodeForSession(codeIn(await linkGoogle(one.client, address)));
    for (const { client } of [one, two]) {
      const target = await linkGoogle(client, address);
      expect(target.searchParams.get("error_code")).toBe("identity_already_exists");
    }
    expect(await providersOf(two.client)).toEqual(["email"]);
  });

  test("loses a race for one account at a provider to the first who finishes", async () => {
    const [one, two] = [await member(), await member()];
    const address = newEmail();
    const [first, second] = [
      await linkGoogle(one.client, address),
      await linkGoogle(two.client, address),
    ];
    expect((await one.client.auth.exchangeCodeForSession(codeIn(first))).error).toBeNull();
    expect((await two.client.auth.exchangeCodeForSession(codeIn(second))).error).toMatchObject({
      status: 422,
      code: "identity_already_exists",
    });
  });

  test("is over when the password changes in between", async () => {
    const { client, email } = await member();
    const target = await linkGoogle(client, newEmail());
    const owner = clientOf(host.running);
    await owner.auth.signInWithPassword({ email, password: testPassword });
    await owner.auth.updateUser({ password: "Another-passw0rd!x" });
    expect((await client.auth.exchangeCodeForSession(codeIn(target))).error).not.toBeNull();
    expect(await providersOf(owner)).toEqual(["email"]);
  });

  test("is off unless it is turned on", async () => {
    const { running, stop } = await startHostWith("", { env: standIns.env });
    try {
      const client = clientOf(running, "pkce");
      await client.auth.signUp({ email: newEmail(), password: testPassword });
      const linked = await client.auth.linkIdentity({ provider: "google" });
      expect(linked.error).toMatchObject({ status: 404, code: "manual_linking_disabled" });
      const [identity] = await identitiesOf(client);
      if (!identity) throw new Error("the account has no identity");
      const gone = await client.auth.unlinkIdentity(identity);
      expect(gone.error).toMatchObject({ status: 404, code: "manual_linking_disabled" });
    } finally {
      await stop();
    }
  });
});

describe("unlinkIdentity", () => {
  test("closes the way in, ends the other sessions and tells the owner", async () => {
    const { client, email } = await member();
    const address = newEmail();
    await client.auth.exchangeCodeForSession(codeIn(await linkGoogle(client, address)));
    const intruder = clientOf(host.running, "pkce");
    const target = await throughProvider(intruder, "google", { email: address });
    await intruder.auth.exchangeCodeForSession(codeIn(target));
    const google = (await identitiesOf(client)).find(({ provider }) => provider === "google");
    if (!google) throw new Error("nothing was linked");
    expect((await client.auth.unlinkIdentity(google)).error).toBeNull();
    expect((await intruder.auth.getUser()).error).not.toBeNull();
    expect(await providersOf(client)).toEqual(["email"]);
    expect((await host.sink.next(email)).text).toContain("Google");
  });

  test("takes the password away with the address", async () => {
    const { client, email } = await member();
    await client.auth.exchangeCodeForSession(codeIn(await linkGoogle(client, newEmail())));
    const own = (await identitiesOf(client)).find(({ provider }) => provider === "email");
    if (!own) throw new Error("there is no e-mail identity");
    expect((await client.auth.unlinkIdentity(own)).error).toBeNull();
    const again = await clientOf(host.running).auth.signInWithPassword({
      email,
      password: testPassword,
    });
    expect(again.error).toMatchObject({ code: "invalid_credentials" });
  });

  test("never takes the last one, nor another account's", async () => {
    const [one, two] = [await member(), await member()];
    const [last] = await identitiesOf(one.client);
    if (!last) throw new Error("the account has no identity");
    expect((await one.client.auth.unlinkIdentity(last)).error).toMatchObject({
      status: 422,
      code: "single_identity_not_deletable",
    });
    await two.client.auth.exchangeCodeForSession(codeIn(await linkGoogle(two.client, newEmail())));
    expect((await two.client.auth.unlinkIdentity(last)).error).toMatchObject({
      status: 422,
      code: "identity_not_found",
    });
    const odd = { ...last, identity_id: "../users" };
    expect((await two.client.auth.unlinkIdentity(odd)).error?.status).toBe(404);
  });
});

describe("signInWithIdToken", () => {
  const hashed = async (nonce: string) =>
    Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(nonce))).toString("hex");
  const signIn = async (token: string, nonce?: string, provider = "google") =>
    await clientOf(host.running).auth.signInWithIdToken({
      provider,
      token,
      ...(nonce !== undefined && { nonce }),
    });

  test("signs in with the nonce whose hash the token carries, and only then", async () => {
    const email = newEmail();
    const token = await standIns.google.idToken({ email, name: "Ada" }, await hashed("secret"));
    for (const wrong of [undefined, "other", await hashed("secret")]) {
      expect((await signIn(token, wrong)).error).toMatchObject({ status: 400 });
    }
    const { data, error } = await signIn(token, "secret");
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ email, app_metadata: { provider: "google" } });
    const bare = await standIns.google.idToken({ email });
    expect((await signIn(bare, "secret")).error).toMatchObject({ status: 400 });
    expect((await signIn(bare)).data.user?.id).toBe(data.user?.id);
  });

  test("links by the same rules, and refuses an address that was not proved", async () => {
    const { email, id } = await member();
    const unproved = await standIns.apple.idToken({ email, isVerified: false });
    expect((await signIn(unproved, undefined, "apple")).error).toMatchObject({
      status: 422,
      code: "provider_email_needs_verification",
    });
    const proved = await standIns.apple.idToken({ email });
    expect((await signIn(proved, undefined, "apple")).data.user?.id).toBe(id);
  });

  test.each([
    ["audience", { aud: "another" }],
    ["issuer", { iss: "https://accounts.google.com" }],
    ["time", { exp: 1 }],
  ])("refuses a token of another %s", async (_what, claims) => {
    standIns.google.tampering = { claims };
    const token = await standIns.google.idToken({ email: newEmail() });
    expect((await signIn(token)).error).toMatchObject({ status: 400, code: "validation_failed" });
  });

  test("refuses tokens of another provider, forged ones and nonsense", async () => {
    const email = newEmail();
    const good = await standIns.google.idToken({ email });
    expect((await signIn(good, undefined, "apple")).error).toMatchObject({ status: 400 });
    for (const signature of ["other-key", "client-secret", "none"] as const) {
      standIns.google.tampering = { signature };
      const forged = await standIns.google.idToken({ email });
      expect((await signIn(forged)).error).toMatchObject({ status: 400 });
    }
    for (const nonsense of ["", "x", "a.b.c", "x".repeat(20_000), standInClientId]) {
      expect((await signIn(nonsense)).error).toMatchObject({ status: 400 });
    }
    expect((await signIn(good, undefined, "github")).error).toMatchObject({ status: 400 });
    standIns.google.tampering = { claims: { at_hash: "x" } };
    const bound = await standIns.google.idToken({ email });
    const { error } = await clientOf(host.running).auth.signInWithIdToken({
      provider: "google",
      token: bound,
      access_token: "stolen",
    });
    expect(error).toMatchObject({ status: 400 });
  });

  test("adds to the signed-in account when it is asked to", async () => {
    const { client, id } = await member();
    const token = await standIns.google.idToken({ email: newEmail() });
    const { data, error } = await client.auth.linkIdentity({ provider: "google", token });
    expect(error).toBeNull();
    expect(data.user?.id).toBe(id);
    expect(await providersOf(client)).toEqual(["email", "google"]);
  });
});
