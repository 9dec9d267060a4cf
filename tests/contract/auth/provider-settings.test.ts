import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { newEmail } from "../../support/clients.ts";
import {
  answerAt,
  beginSignIn,
  goBack,
  startSignInStandIns,
  throughProvider,
  type StandInName,
  type SignInStandIns,
} from "../../support/sign-in-stand-ins.ts";
import { startConfirmingHost, type ConfirmingHost } from "./confirming-host.ts";
import { call, clientOf } from "./requests.ts";
import { startHostWith } from "./start-host-with.ts";

const site = "https://app.example.test/";

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
const errorIn = (target: URL) => ({
  error: target.searchParams.get("error"),
  code: target.searchParams.get("error_code"),
});
describe("beginning at /authorize", () => {
  test("asks the provider with state, nonce and PKCE, and lets a client change none of it", async () => {
    const query = new URLSearchParams({
      provider: "google",
      scopes: 'https://www.googleapis.com/auth/calendar bad"scope',
      prompt: "select_account",
      redirect_uri: "https://evil.example",
      client_id: "evil",
      state: "evil",
      nonce: "evil",
      response_mode: "query",
      response_type: "token",
    });
    const { status, headers } = await call(host.running, `/authorize?${query.toString()}`);
    expect(status).toBe(302);
    const asked = Object.fromEntries(new URL(headers.get("location") ?? "").searchParams);
    expect(asked).toMatchObject({
      client_id: "club.example.test",
      redirect_uri: `${host.running.url}/auth/v1/callback`,
      response_type: "code",
      code_challenge_method: "S256",
      prompt: "select_account",
      scope: "openid email profile https://www.googleapis.com/auth/calendar",
    });
    expect(asked).not.toHaveProperty("response_mode");
    expect(JSON.stringify(asked)).not.toContain("evil");
    const apple = await call(host.running, "/authorize?provider=apple&scopes=more");
    const appleAsked = new URL(apple.headers.get("location") ?? "").searchParams;
    expect(appleAsked.get("response_mode")).toBe("form_post");
    expect(appleAsked.get("scope")).toBe("email name");
  });

  test.each([
    "https://evil.example/welcome",
    "https://club.example.test.evil.example/welcome",
    "javascript:alert(1)",
    "https://club.example.test@evil.example/welcome",
  ])("never leads to %s", async (redirectTo) => {
    const target = await throughProvider(browser(), "google", { email: newEmail() }, redirectTo);
    expect(target.origin + target.pathname).toBe(site);
    const cancelled = await throughProvider(browser(), "google", "cancel", redirectTo);
    expect(cancelled.origin + cancelled.pathname).toBe(site);
  });

  test.each(["", "github", "toString", "email", "google "])(
    "refuses the provider %j",
    async (provider) => {
      const path = `/authorize?provider=${encodeURIComponent(provider)}`;
      const { status, body } = await call(host.running, path);
      expect({ status, code: body["code"] }).toEqual({ status: 400, code: "validation_failed" });
    },
  );

  test("is not begun by a program that looks the link up", async () => {
    const counted = async () =>
      (await host.owner.query("select count(*) from auth.oauth_client_states")).rows[0];
    const before = await counted();
    const { status } = await call(host.running, "/authorize?provider=google", { method: "HEAD" });
    expect(status).toBe(200);
    expect(await counted()).toEqual(before);
  });

  test("is forgotten after an hour when nobody comes back", async () => {
    await beginSignIn(browser(), "google");
    await host.owner.query(
      "update auth.oauth_client_states set created_at = now() - interval '61 minutes'",
    );
    await host.owner.query("update auth.flow_state set created_at = now() - interval '61 minutes'");
    await host.owner.query("select host.purge_provider_flows()");
    const left = await host.owner.query(
      "select (select count(*) from auth.oauth_client_states) + (select count(*) from auth.flow_state) as rows",
    );
    expect(left.rows).toEqual([{ rows: "0" }]);
  });
});

describe("the settings of providers", () => {
  test("are told to clients and to the app", async () => {
    const { body } = await call(host.running, "/settings");
    expect(body["external"]).toMatchObject({ google: true, apple: true, github: false });
    const config = await fetch(`${host.running.url}/config.json`);
    expect(await config.json()).toMatchObject({ signInProviders: ["google", "apple"] });
  });

  test("let a host say that a stand-in is out of reach", async () => {
    const env = { ...standIns.env, SUPABASE_AUTH_EXTERNAL_GOOGLE_URL: "http://127.0.0.1:9/google" };
    const { running, stop } = await startHostWith("", { env });
    try {
      const { status, headers } = await call(running, "/authorize?provider=google");
      expect(status).toBe(302);
      const target = new URL(headers.get("location") ?? "");
      expect(target.origin).toBe(running.url);
      expect(errorIn(target).error).toBe("temporarily_unavailable");
    } finally {
      await stop();
    }
  });

  test("keep accounts from being made while sign-ups are off", async () => {
    const { running, stop } = await startHostWith("[auth]\nenable_signup = false", {
      env: standIns.env,
    });
    try {
      const email = newEmail();
      const target = await throughProvider(clientOf(running, "pkce"), "google", { email });
      expect(errorIn(target)).toEqual({ error: "access_denied", code: "signup_disabled" });
    } finally {
      await stop();
    }
  });

  test.each<[string, Record<string, string>, RegExp]>([
    [
      "without a client",
      { SUPABASE_AUTH_EXTERNAL_GOOGLE_CLIENT_ID: "" },
      /google\.client_id: must/,
    ],
    ["without a secret", { SUPABASE_AUTH_EXTERNAL_APPLE_SECRET: "" }, /apple\.secret: must/],
    [
      "with a stand-in anyone could answer for",
      { SUPABASE_AUTH_EXTERNAL_GOOGLE_URL: "http://login.example.com" },
      /google\.url: must begin with https/,
    ],
  ])("stop the start %s", async (_what, wrong, message) => {
    await expect(startHostWith("", { env: { ...standIns.env, ...wrong } })).rejects.toThrow(
      message,
    );
  });
});

test("requests to providers' routes count", async () => {
  const tables = `[auth.rate_limit]\nsign_in_sign_ups = 2\ntoken_verifications = 1`;
  const { running, stop } = await startHostWith(tables, { env: standIns.env });
  try {
    const client = clientOf(running, "pkce");
    const pages: string[] = [];
    for (const provider of ["google", "apple"] satisfies StandInName[]) {
      pages.push(await beginSignIn(client, provider));
    }
    const third = await call(running, "/authorize?provider=google");
    expect(third).toMatchObject({ status: 429, body: { code: "over_request_rate_limit" } });
    const [first = "", second = ""] = pages;
    expect(errorIn(await goBack(await answerAt(first, "cancel"))).error).toBe("access_denied");
    const back = await goBack(await answerAt(second, "cancel"));
    expect(errorIn(back).code).toBe("over_request_rate_limit");
  } finally {
    await stop();
  }
});
