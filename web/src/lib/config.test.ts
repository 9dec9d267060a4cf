import { describe, expect, it } from "vitest";
import { loadConfig, resolveConfig } from "./config.ts";

const origin = "https://site.example";
const served = {
  supabaseUrl: "https://backend.example/",
  supabaseAnonKey: "sb_publishable_1",
  stripePublishableKey: "pk_1",
  stripeScriptUrl: "/sandbox/stripe/v3",
  vapidPublicKey: "B1",
  signInProviders: ["apple", "github", "google"],
  passkeys: true,
  securityKeys: true,
  brand: { name: "Fourfold" },
};

describe("configuration", () => {
  it("takes what the server says", () => {
    expect(resolveConfig(served, {}, origin)).toEqual({
      backend: { supabaseUrl: "https://backend.example", supabaseAnonKey: "sb_publishable_1" },
      stripePublishableKey: "pk_1",
      stripeScriptUrl: "/sandbox/stripe/v3",
      vapidPublicKey: "B1",
      signInProviders: ["google", "apple"],
      passkeys: true,
      securityKeys: true,
    });
  });

  it.each([[undefined], [null], ["google"], [[7]], [{ google: true }]])(
    "knows no provider to sign in with when the server says %o",
    (signInProviders) => {
      const config = resolveConfig({ ...served, signInProviders }, {}, origin);
      expect(config.signInProviders).toEqual([]);
      expect(config.backend).not.toBeNull();
    },
  );

  it("lets the build override it, field by field", () => {
    const overrides = {
      VITE_SUPABASE_URL: "https://other.example",
      VITE_STRIPE_PUBLISHABLE_KEY: "pk_2",
      VITE_VAPID_PUBLIC_KEY: "B2",
      VITE_SIGN_IN_PROVIDERS: "apple",
      VITE_PASSKEYS: "false",
      VITE_SECURITY_KEYS: "false",
    };
    expect(resolveConfig(served, overrides, origin)).toMatchObject({
      backend: { supabaseUrl: "https://other.example", supabaseAnonKey: "sb_publishable_1" },
      stripePublishableKey: "pk_2",
      vapidPublicKey: "B2",
      signInProviders: ["apple"],
      passkeys: false,
      securityKeys: false,
    });
  });

  it("reads an address without a host as one of this site", () => {
    expect(resolveConfig({ ...served, supabaseUrl: "/" }, {}, origin).backend?.supabaseUrl).toBe(
      origin,
    );
  });

  it.each([
    [null],
    ["<html>"],
    [{}],
    [{ ...served, supabaseUrl: null }],
    [{ ...served, supabaseAnonKey: " " }],
    [{ ...served, supabaseUrl: 7 }],
    [{ ...served, supabaseUrl: "javascript:alert(1)" }],
    [{ ...served, supabaseUrl: "https://" }],
  ])("has no backend when the server says %o", (remote) => {
    expect(resolveConfig(remote, {}, origin).backend).toBeNull();
  });
});

describe("loading it", () => {
  const answer =
    (body: string, status = 200) =>
    () =>
      Promise.resolve(new Response(body, { status }));

  it("reads the file", async () => {
    const config = await loadConfig({}, origin, answer(JSON.stringify(served)));
    expect(config.backend?.supabaseAnonKey).toBe("sb_publishable_1");
  });

  it.each([
    ["is missing", answer("not found", 404)],
    ["is a page", answer("<!doctype html>")],
    ["does not come", () => Promise.reject(new TypeError("network"))],
  ])("is not configured when the file %s", async (_why, fetchText) => {
    expect((await loadConfig({}, origin, fetchText)).backend).toBeNull();
  });

  it("needs no file when the build says everything", async () => {
    const overrides = { VITE_SUPABASE_URL: "https://b.example", VITE_SUPABASE_ANON_KEY: "k" };
    const config = await loadConfig(overrides, origin, answer("not found", 404));
    expect(config.backend).toEqual({ supabaseUrl: "https://b.example", supabaseAnonKey: "k" });
  });
});
