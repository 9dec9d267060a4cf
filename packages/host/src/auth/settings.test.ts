import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { BootError } from "../boot-error.ts";
import { readAuthSettings } from "./settings.ts";

function read(toml: string, env: Record<string, string> = {}) {
  return readAuthSettings({ folder: "/nowhere", settings: parse(toml) }, env);
}

describe("the [auth] table", () => {
  test("has defaults when it is missing", () => {
    expect(read("")).toMatchObject({
      jwt_expiry: 3600,
      enable_signup: true,
      minimum_password_length: 6,
      refresh_token_reuse_interval: 10,
      rate_limit: { sign_in_sign_ups: 30, token_refresh: 150, email_sent: 30 },
      email: { double_confirm_changes: true, max_frequency: 60_000, otp_expiry: 3600 },
    });
  });

  test("reads values from the environment", () => {
    const toml = `[auth]\nsite_url = "env(SITE)"\nadditional_redirect_urls = ["env(MORE)", "myapp://x"]`;
    expect(read(toml, { SITE: "https://a.example" })).toMatchObject({
      site_url: "https://a.example",
      additional_redirect_urls: ["myapp://x"],
    });
    expect(read(toml).site_url).toBeUndefined();
  });

  test("limits the lifetime of links to an hour", () => {
    expect(read("[auth.email]\notp_expiry = 86400").email.otp_expiry).toBe(3600);
    expect(read("[auth.email]\notp_expiry = 600").email.otp_expiry).toBe(600);
  });

  test("turns providers, passkeys and security keys on by the variables that the official CLI reads", () => {
    const toml = `[auth.external.google]\nclient_id = "file"\nsecret = "env(MISSING)"`;
    const env = {
      SUPABASE_AUTH_EXTERNAL_GOOGLE_ENABLED: "true",
      SUPABASE_AUTH_EXTERNAL_GOOGLE_SECRET: "hidden",
      SUPABASE_AUTH_EXTERNAL_APPLE_ENABLED: "",
      SUPABASE_AUTH_PASSKEY_ENABLED: "1",
      SUPABASE_AUTH_MFA_WEB_AUTHN_ENROLL_ENABLED: "true",
      SUPABASE_AUTH_MFA_WEB_AUTHN_VERIFY_ENABLED: "",
    };
    expect(read(toml, env)).toMatchObject({
      external: {
        google: { enabled: true, client_id: "file", secret: "hidden" },
        apple: { enabled: false },
      },
      passkey: { enabled: true },
      mfa: { web_authn: { enroll_enabled: true, verify_enabled: false } },
    });
    const keys =
      "[auth.mfa]\nmax_enrolled_factors = 3\n[auth.mfa.web_authn]\nverify_enabled = true";
    const known = read(keys, { SUPABASE_AUTH_MFA_WEB_AUTHN_ENROLL_ENABLED: "1" });
    expect(known.mfa).toMatchObject({
      max_enrolled_factors: 3,
      web_authn: { enroll_enabled: true, verify_enabled: true },
    });
    expect(() => read("", env)).toThrow(/auth\.external\.google\.client_id: must be set/);
    const maybe = { ...env, SUPABASE_AUTH_EXTERNAL_GOOGLE_ENABLED: "maybe" };
    expect(() => read(toml, maybe)).toThrow(/google\.enabled/);
    expect(read(toml)).toMatchObject({ external: { google: { enabled: false } } });
  });

  test("takes the empty addresses of the file that the official CLI begins with", () => {
    const toml = `[auth.external.apple]\nenabled = false\nredirect_uri = ""\nurl = ""\nskip_nonce_check = false`;
    const { external } = read(toml);
    expect(external.apple).toMatchObject({ redirect_uri: undefined, url: undefined });
    const wrong = `[auth.external.apple]\nredirect_uri = "callback"`;
    expect(() => read(wrong)).toThrow(/auth\.external\.apple\.redirect_uri/);
  });

  test("reports every issue at once", () => {
    const broken = `[auth]\njwt_expiry = 5\nsite_url = "x"\n[auth.email]\nmax_frequency = "often"`;
    expect(() => read(broken)).toThrow(BootError);
    expect(() => read(broken)).toThrow(/auth\.site_url[\s\S]*auth\.jwt_expiry[\s\S]*max_frequency/);
  });

  test("ignores unknown keys", () => {
    expect(
      read(`[auth]\nenable_manual_linking = true\n[auth.mfa]\nmax_enrolled_factors = 10`),
    ).toBeDefined();
  });
});
