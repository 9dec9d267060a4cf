import { afterEach, describe, expect, it, vi } from "vitest";
import { sessionOf } from "@/app/testing/test-app.tsx";
import { consumeAuthRedirect } from "./auth-redirect.ts";
import { createBackendClient, type BackendClient } from "./backend-client.ts";

const started: BackendClient[] = [];
const sessionKey = "sb-backend-auth-token";

afterEach(async () => {
  for (const client of started.splice(0)) await client.auth.dispose();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  window.history.replaceState(null, "", "/");
});

/** Opens the app's own client at an address over a server that exchanges every code for Mallory's session. */
async function arrive(address: string) {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (url: string) => {
    asked.push(url);
    return Promise.resolve(Response.json(sessionOf("mallory@example.com", crypto.randomUUID())));
  });
  window.history.replaceState(null, "", address);
  const client = createBackendClient({
    supabaseUrl: "http://backend.test",
    supabaseAnonKey: "sb_publishable_test",
  });
  started.push(client);
  const authRedirect = await consumeAuthRedirect(() => client.auth.initialize(), window);
  const { data } = await client.auth.getSession();
  const { pathname, search, hash } = window.location;
  return {
    authRedirect,
    asked,
    email: data.session?.user.email,
    address: pathname + search + hash,
  };
}

const tokens = `access_token=${sessionOf("mallory@example.com").access_token}&refresh_token=theirs&expires_in=3600&token_type=bearer&type=signup`;

describe("a session in the address that this browser did not ask for", () => {
  it.each([
    ["tokens", `/auth#${tokens}`],
    ["tokens in the query", `/auth?${tokens}`],
    ["tokens on the page for new passwords", `/update-password#${tokens}&type=recovery`],
    ["a code", "/onboarding?code=1a2b3c4d"],
    ["a code of a flow of its own", "/onboarding?code=1a2b3c4d&sb_flow_id=0123456789abcdef"],
    ["a token hash", "/auth?token_hash=abc&type=magiclink"],
  ])("never replaces the one there is: %s", async (_, address) => {
    localStorage.setItem(sessionKey, JSON.stringify(sessionOf("ada@example.com")));
    const visit = await arrive(address);
    expect(visit.email).toBe("ada@example.com");
    expect(visit.asked).toEqual([]);
    expect(visit.authRedirect.link?.outcome).toBe("other-browser");
  });

  it("never signs in a visitor either, and leaves no trace in the address", async () => {
    const visit = await arrive(`/auth?plan=mentor#${tokens}`);
    expect(visit.email).toBeUndefined();
    expect(visit.address).toBe("/auth?plan=mentor");
    expect(localStorage.getItem(sessionKey)).toBeNull();
  });
});

describe("a link this browser asked for", () => {
  const verifier = JSON.stringify("v".repeat(64));

  it("signs in by its code, once, and takes the code out of the address", async () => {
    localStorage.setItem(`${sessionKey}-code-verifier`, verifier);
    const visit = await arrive("/onboarding?code=1a2b3c4d&step=2#top");
    expect(visit.asked).toEqual(["http://backend.test/auth/v1/token?grant_type=pkce"]);
    expect(visit.email).toBe("mallory@example.com");
    expect(visit.authRedirect.link).toEqual({ outcome: "signed-in", pathname: "/onboarding" });
    expect(visit.address).toBe("/onboarding?step=2#top");
    expect(localStorage.getItem(`${sessionKey}-code-verifier`)).toBeNull();
  });
});

describe("a link that did not work", () => {
  it.each([
    ["/auth#error=access_denied&error_code=otp_expired&error_description=Call+0900", "expired"],
    [
      "/auth?error=server_error&error_code=unexpected_failure#error=server_error",
      "provider-failed",
    ],
    [
      "/signin?error=access_denied&error_description=Call+0900#error=access_denied&sb=",
      "provider-cancelled",
    ],
    [
      "/signin?error=access_denied&error_code=provider_email_needs_verification",
      "provider-unverified",
    ],
    ["/signin?error=access_denied&error_code=user_banned", "suspended"],
    ["/signin?error=access_denied&error_code=signup_disabled", "sign-up-closed"],
    ["/signin?error=invalid_request&error_code=flow_state_already_used", "provider-failed"],
    ["/auth?error=invalid_request&error_code=validation_failed", "failed"],
    ["/account?message=Confirmation+link+accepted#message=x&sb=", "awaiting-other-inbox"],
  ] as const)("says so without a word from the address: %s", async (address, outcome) => {
    localStorage.setItem(sessionKey, JSON.stringify(sessionOf("ada@example.com")));
    const visit = await arrive(address);
    expect(visit.authRedirect.link?.outcome).toBe(outcome);
    expect(JSON.stringify(visit.authRedirect)).not.toContain("0900");
    expect(visit.address).toBe(address.split(/[?#]/)[0]);
    expect(visit.email).toBe("ada@example.com");
  });
});

it("a visit without a link is left alone", async () => {
  const initialize = vi.fn(() => Promise.resolve());
  window.history.replaceState(null, "", "/chats?room=1#m2");
  expect(await consumeAuthRedirect(initialize, window)).toEqual({ link: null });
  expect(window.location.href).toContain("/chats?room=1#m2");
  expect(initialize).not.toHaveBeenCalled();
});
