import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { newEmail } from "../../support/clients.ts";
import {
  answerAt,
  beginSignIn,
  goBack,
  startSignInStandIns,
  throughProvider,
  type SignInStandIns,
} from "../../support/sign-in-stand-ins.ts";
import { startConfirmingHost, type ConfirmingHost } from "./confirming-host.ts";
import { call, clientOf, fragmentOf } from "./requests.ts";

const site = "https://app.example.test/";
const welcome = "https://club.example.test/welcome";

let standIns: SignInStandIns;
let host: ConfirmingHost;
beforeAll(async () => {
  standIns = await startSignInStandIns();
  host = await startConfirmingHost({ env: standIns.env });
});
afterAll(async () => {
  await host.stop();
  await standIns.stop();
});
afterEach(() => {
  standIns.google.tampering = {};
  standIns.apple.tampering = {};
});

const browser = () => clientOf(host.running, "pkce");
const codeIn = (target: URL) => target.searchParams.get("code") ?? "";
const errorIn = (target: URL) => ({
  error: target.searchParams.get("error"),
  code: target.searchParams.get("error_code"),
});
const accountsOf = async (email: string) =>
  (await host.owner.query<{ id: string }>("select id from auth.users where email = $1", [email]))
    .rows;

describe.each(["google", "apple"] as const)("signing in with %s", (provider) => {
  test("makes an account without a password, with the person's address and name", async () => {
    const client = browser();
    const email = newEmail();
    const target = await throughProvider(
      client,
      provider,
      { email, name: "Ada Lovelace" },
      welcome,
    );
    expect(target.href).toMatch(/^https:\/\/club\.example\.test\/welcome\?code=[\w-]+$/);
    const { data, error } = await client.auth.exchangeCodeForSession(codeIn(target));
    expect(error).toBeNull();
    expect(data.user).toMatchObject({
      email,
      role: "authenticated",
      app_metadata: { provider, providers: [provider] },
      user_metadata: { full_name: "Ada Lovelace", email_verified: true },
      identities: [{ provider, identity_data: { email, email_verified: true } }],
    });
    expect(data.user?.email_confirmed_at).toEqual(expect.any(String));
    const { data: level } = await client.auth.mfa.getAuthenticatorAssuranceLevel();
    expect(level?.currentAuthenticationMethods).toMatchObject([{ method: "oauth" }]);
    const { rows } = await host.owner.query(
      "select encrypted_password as password from auth.users where email = $1",
      [email],
    );
    expect(rows).toEqual([{ password: null }]);
  });

  test("opens the same account the second time, also after its address changed at the provider", async () => {
    const email = newEmail();
    const subject = `same-${email}`;
    standIns[provider].tampering = { claims: { sub: subject } };
    const ids = new Set<string>();
    for (const address of [email, email, newEmail()]) {
      const client = browser();
      const target = await throughProvider(client, provider, { email: address });
      const { data } = await client.auth.exchangeCodeForSession(codeIn(target));
      expect(data.user).toMatchObject({ email });
      ids.add(data.user?.id ?? "");
    }
    expect(ids.size).toBe(1);
  });
});

describe("what comes back from a provider", () => {
  test("is a session in the fragment for a client without PKCE", async () => {
    const client = clientOf(host.running, "implicit");
    const email = newEmail();
    const target = await throughProvider(client, "google", { email });
    const { access_token: token = "", refresh_token: refresh = "" } = fragmentOf(target);
    expect(target.search).toBe("");
    const { data } = await client.auth.setSession({ access_token: token, refresh_token: refresh });
    expect(data.user).toMatchObject({ email });
  });

  test("can only be redeemed by the browser that began", async () => {
    const email = newEmail();
    const target = await throughProvider(browser(), "google", { email });
    const other = browser();
    await beginSignIn(other, "google");
    const stolen = await other.auth.exchangeCodeForSession(codeIn(target));
    expect(stolen.error).toMatchObject({ status: 400, code: "bad_code_verifier" });
  });

  test("counts once, and so does the code it leads to", async () => {
    const client = browser();
    const back = await answerAt(await beginSignIn(client, "google"), { email: newEmail() });
    const target = await goBack(back);
    expect(errorIn(await goBack(back))).toEqual({
      error: "invalid_request",
      code: "flow_state_already_used",
    });
    expect((await client.auth.exchangeCodeForSession(codeIn(target))).error).toBeNull();
    const again = await call(host.running, "/token?grant_type=pkce", {
      body: { auth_code: codeIn(target), code_verifier: "x".repeat(43) },
    });
    expect(again.body).toMatchObject({ code: "flow_state_not_found" });
    expect(errorIn(await goBack(back)).code).toBe("bad_oauth_state");
  });

  test("counts once without PKCE too", async () => {
    const client = clientOf(host.running, "implicit");
    const back = await answerAt(await beginSignIn(client, "google"), { email: newEmail() });
    expect(fragmentOf(await goBack(back))).toHaveProperty("access_token");
    expect(fragmentOf(await goBack(back))).not.toHaveProperty("access_token");
  });

  test("needs a state that was given out, and not long ago", async () => {
    const back = await answerAt(await beginSignIn(browser(), "google"), { email: newEmail() });
    const url = new URL(back.url);
    const state = url.searchParams.get("state") ?? "";
    for (const wrong of ["", "x", crypto.randomUUID(), `${state}'`]) {
      url.searchParams.set("state", wrong);
      const target = await goBack({ url: url.href });
      expect(target.origin + target.pathname).toBe(site);
      expect(errorIn(target).error).toBe("invalid_request");
    }
    await host.owner.query(
      "update auth.flow_state set created_at = now() - interval '11 minutes' where id = $1",
      [state],
    );
    expect(errorIn(await goBack(back)).code).toBe("bad_oauth_state");
  });

  test("says that a person turned back", async () => {
    for (const provider of ["google", "apple"] as const) {
      const target = await throughProvider(browser(), provider, "cancel", welcome);
      expect(target.origin + target.pathname).toBe(welcome);
      expect(errorIn(target)).toEqual({ error: "access_denied", code: null });
      expect(fragmentOf(target)).toMatchObject({ error: "access_denied", sb: "" });
    }
  });

  test.each<[string, SignInStandIns["google"]["tampering"]]>([
    ["another audience", { claims: { aud: "another.client" } }],
    ["several audiences without a party", { claims: { aud: ["club.example.test", "other"] } }],
    ["another party", { claims: { azp: "another.client" } }],
    ["another issuer", { claims: { iss: "https://accounts.google.com" } }],
    ["another nonce", { claims: { nonce: "of another sign-in" } }],
    ["no nonce", { claims: { nonce: undefined } }],
    ["an end in the past", { claims: { exp: Math.floor(Date.now() / 1000) - 60 } }],
    ["no end", { claims: { exp: undefined } }],
    ["an old token", { claims: { iat: Math.floor(Date.now() / 1000) - 3600 } }],
    ["another key", { signature: "other-key" }],
    ["the client's secret as key", { signature: "client-secret" }],
    ["no signature", { signature: "none" }],
    ["no person", { claims: { sub: undefined } }],
    ["a person without a name for it", { claims: { sub: "" } }],
    ["a number for a person", { claims: { sub: 7 } }],
    ["no token", { tokenAnswer: () => Response.json({ access_token: "x" }) }],
    [
      "a refused code",
      { tokenAnswer: () => Response.json({ error: "invalid_grant" }, { status: 400 }) },
    ],
    ["a broken provider", { tokenAnswer: () => new Response("oops", { status: 500 }) }],
    ["a page", { tokenAnswer: () => new Response("<html>") }],
    ["too long an answer", { padding: 200_000 }],
    ["a redirect, even to the right answer", { isMoved: true }],
  ])("is not taken with %s", async (_what, tampering) => {
    const email = newEmail();
    const client = browser();
    const page = await beginSignIn(client, "google", welcome);
    standIns.google.tampering = tampering;
    const target = await goBack(await answerAt(page, { email }));
    expect(target.origin + target.pathname).toBe(welcome);
    expect(errorIn(target)).toEqual({ error: "server_error", code: "unexpected_failure" });
    expect(target.searchParams.get("code")).toBeNull();
    expect(await accountsOf(email)).toEqual([]);
  });

  test.each<[string, Record<string, unknown>]>([
    ["says is not verified", { email_verified: false }],
    ["says nothing of", { email_verified: undefined }],
    ["says something else of", { email_verified: 1 }],
    ["leaves out", { email: undefined }],
    ["writes wrongly", { email: "no address" }],
  ])("makes no account for an address it %s", async (_what, claims) => {
    const email = newEmail();
    standIns.google.tampering = { claims };
    const target = await throughProvider(browser(), "google", { email });
    expect(errorIn(target)).toEqual({
      error: "access_denied",
      code: "provider_email_needs_verification",
    });
    expect(await accountsOf(email)).toEqual([]);
  });

  test("makes one account of two answers at once", async () => {
    const email = newEmail();
    const pages = await Promise.all(
      [1, 2, 3].map(async () => await beginSignIn(browser(), "google")),
    );
    const targets = await Promise.all(
      pages.map(async (page) => await goBack(await answerAt(page, { email }))),
    );
    expect(targets.map((target) => errorIn(target).code)).toEqual([null, null, null]);
    expect(await accountsOf(email)).toHaveLength(1);
  });
});
