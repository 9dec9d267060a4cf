import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { ignoredSettings } from "./ignored-settings.ts";

const ignored = (toml: string, env = {}) =>
  ignoredSettings({ folder: "/none", settings: parse(toml) }, env);

test.each([
  ["[auth]\nenable_anonymous_sign_ins = true", ["auth.enable_anonymous_sign_ins"]],
  ["[auth.external.google]\nemail_optional = true", ["auth.external.google.email_optional"]],
  ["[auth.mfa.web_authn]\nenroll_enabled = true", []],
  ["[auth.external.github]\nenabled = true", ["auth.external.github.enabled"]],
  ["[auth.oauth_server]\nenabled = true", ["auth.oauth_server.enabled"]],
  ["[auth.sms.twilio]\nenabled = true", ["auth.sms.twilio.enabled"]],
  ["[auth.hook.send_email]\nenabled = true", ["auth.hook.send_email.enabled"]],
  ["[auth]\nminimum_pasword_length = 9", ["auth.minimum_pasword_length"]],
  ["[auth.email.template.invite]\nsubjet = 'Come'", ["auth.email.template.invite.subjet"]],
  ["[api]\nenabled = false", ["api.enabled"]],
  ["[storage.buckets.pictures]\npublic = true", ["storage.buckets.pictures.public"]],
  ["[db.seed]\nenabled = true", ["db.seed.enabled"]],
  ["[functions.hello]\nentrypoint = './other.ts'", ["functions.hello.entrypoint"]],
  ["[edge_runtime.secrets]\nKEY = 'x'", ["edge_runtime.secrets.KEY"]],
  ["shape = 'odd'", ["shape"]],
  ["[storage.image_transformation]\nenabled = false", ["storage.image_transformation.enabled"]],
])("%j names what it does not do", (toml, expected) => {
  expect(ignored(toml)).toEqual(expected);
});

test("says nothing of settings that have an effect, ask for nothing or are for the official CLI", () => {
  const toml = `
    project_id = "club"
    [api]
    enabled = true
    schemas = ["public"]
    [db]
    port = 54322
    [studio]
    enabled = true
    [experimental.pgdelta]
    enabled = true
    declarative_schema_path = "./schemas"
    [auth]
    site_url = "https://club.example"
    enable_anonymous_sign_ins = false
    [storage.image_transformation]
    enabled = true
    [auth.rate_limit]
    email_sent = 4
    [auth.passkey]
    enabled = true
    [auth.webauthn]
    rp_id = "club.example"
    [auth.external.google]
    enabled = true
    client_id = "club"
    secret = "hidden"
    [auth.external.apple]
    enabled = false
    client_id = ""
    secret = "env(APPLE_SECRET)"
    [auth.email.template.invite]
    subject = "Come"
    [auth.email.smtp]
    enabled = false
    host = "smtp.example.com"
    [functions.hello]
    verify_jwt = false
    import_map = "./deno.json"`;
  expect(ignored(toml)).toEqual([]);
});
