import { afterAll, beforeAll, describe, expect, test } from "vitest";
import pg from "pg";
import { createClient } from "@supabase/supabase-js";
import { newEmail, PASSWORD } from "../../support/clients.ts";
import type { RunningHost } from "../../support/running.ts";
import { call, clientOf, fragmentOf, linkIn, open } from "./requests.ts";
import { startHostWith } from "./start-host-with.ts";
import { startSmtpSink, type SmtpSink } from "./smtp-sink.ts";

const CONFIG = `
[auth]
site_url = "https://app.example.test"
additional_redirect_urls = ["https://*.example.test/welcome", "myapp://**"]

[auth.rate_limit]
sign_in_sign_ups = 100000
token_verifications = 100000
email_sent = 100000

[auth.email]
enable_confirmations = true
secure_password_change = true
max_frequency = "0s"
smtp = { sender_name = "Example & Sons" }

[auth.email.template.magic_link]
subject = "Code {{ .Token }}"
content_path = "./supabase/templates/magic-link.html"

[auth.email.notification.password_changed]
enabled = true
`;
const MAGIC_LINK = `<p>For {{ .Data.name }} at {{ .SiteURL }}: <b>{{ .Token }}</b></p>`;

let sink: SmtpSink;
let host: RunningHost;
let stop: () => Promise<void>;
let owner: pg.Pool;

beforeAll(async () => {
  sink = await startSmtpSink();
  const started = await startHostWith(CONFIG, {
    env: { SMTP_URL: sink.url, MAIL_FROM: "Example <hello@example.test>" },
    files: { "supabase/templates/magic-link.html": MAGIC_LINK },
  });
  ({ running: host, stop } = started);
  owner = new pg.Pool({ connectionString: host.databaseUrl, max: 2 });
});

afterAll(async () => {
  await owner.end();
  await stop();
  await sink.stop();
});

function admin() {
  return createClient(host.url, host.serviceRoleKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  }).auth.admin;
}

async function confirmed(data: Record<string, unknown> = {}) {
  const email = newEmail();
  const made = await admin().createUser({
    email,
    password: PASSWORD,
    email_confirm: true,
    user_metadata: data,
  });
  const client = clientOf(host);
  const { error } = await client.auth.signInWithPassword({ email, password: PASSWORD });
  if (error) throw error;
  return { email, client, id: made.data.user?.id ?? "" };
}

describe("where addresses are confirmed by e-mail", () => {
  test("sign-up gives no session until the link was opened", async () => {
    const email = newEmail();
    const client = clientOf(host);
    const { data, error } = await client.auth.signUp({
      email,
      password: PASSWORD,
      options: { emailRedirectTo: "https://club.example.test/welcome" },
    });
    expect(error).toBeNull();
    expect(data.session).toBeNull();
    expect(data.user).toMatchObject({ email, identities: [{ provider: "email" }] });
    expect(data.user?.confirmation_sent_at).toBeDefined();
    const early = await client.auth.signInWithPassword({ email, password: PASSWORD });
    expect(early.error?.code).toBe("email_not_confirmed");

    const mail = await sink.next(email);
    expect(mail.subject).toBe("Please confirm your e-mail address");
    expect(mail.text).toContain("Example & Sons");
    const target = await open(linkIn(mail));
    expect(`${target.origin}${target.pathname}`).toBe("https://club.example.test/welcome");
    expect(fragmentOf(target)).toMatchObject({ type: "signup", token_type: "bearer" });
    const after = await client.auth.signInWithPassword({ email, password: PASSWORD });
    expect(after.data.user).toMatchObject({ user_metadata: { email_verified: true } });
  });

  test("an address in use looks like a new one", async () => {
    const { email } = await confirmed();
    const [taken, fresh] = await Promise.all(
      [email, newEmail()].map(
        async (address) =>
          await call(host, "/signup", {
            body: { email: address, password: PASSWORD, data: { a: 1 } },
          }),
      ),
    );
    expect(taken?.status).toBe(200);
    expect(Object.keys(taken?.body ?? {}).toSorted()).toEqual(
      Object.keys(fresh?.body ?? {}).toSorted(),
    );
    expect(taken?.body).toMatchObject({ email, identities: [], user_metadata: { a: 1 } });
    const { rows } = await owner.query("select 1 from auth.users where id = $1", [
      taken?.body["id"],
    ]);
    expect(rows).toEqual([]);
    expect(sink.all().filter((mail) => mail.to === email)).toEqual([]);
  });

  test("a second sign-up with a waiting address changes nothing but sends another link", async () => {
    const email = newEmail();
    const client = clientOf(host);
    await client.auth.signUp({ email, password: PASSWORD, options: { data: { mine: true } } });
    const first = linkIn(await sink.next(email));
    const again = await clientOf(host).auth.signUp({ email, password: "Intruder-Horse-1!" });
    expect(again.error).toBeNull();
    const second = linkIn(await sink.next(email));
    expect(fragmentOf(await open(first))["error_code"]).toBe("otp_expired");
    await open(second);
    const intruder = await client.auth.signInWithPassword({ email, password: "Intruder-Horse-1!" });
    expect(intruder.error?.code).toBe("invalid_credentials");
    const mine = await client.auth.signInWithPassword({ email, password: PASSWORD });
    expect(mine.data.user?.user_metadata).toMatchObject({ mine: true });
  });

  test("the link can be sent again, and asking for a stranger's answers the same", async () => {
    const email = newEmail();
    const client = clientOf(host);
    await client.auth.signUp({ email, password: PASSWORD });
    await sink.next(email);
    expect((await client.auth.resend({ type: "signup", email })).error).toBeNull();
    const token_hash = linkIn(await sink.next(email)).searchParams.get("token") ?? "";
    const { data } = await client.auth.verifyOtp({ type: "email", token_hash });
    expect(data.session).not.toBeNull();
    const bodies = await Promise.all(
      [email, newEmail()].map(
        async (address) =>
          await call(host, "/resend", { body: { type: "signup", email: address } }),
      ),
    );
    for (const { status, body } of bodies) expect([status, body]).toEqual([200, {}]);
  });

  test("a change of address needs both links", async () => {
    const { client, email } = await confirmed();
    const wanted = newEmail();
    await client.auth.updateUser({ email: wanted });
    const half = fragmentOf(await open(linkIn(await sink.next(wanted))));
    expect(half["message"]).toMatch(/confirm link sent to the other email/);
    expect((await client.auth.getUser()).data.user?.email).toBe(email);
    const full = fragmentOf(await open(linkIn(await sink.next(email))));
    expect(full).toMatchObject({ type: "email_change", token_type: "bearer" });
    expect((await client.auth.getUser()).data.user?.email).toBe(wanted);
  });

  test("a change of address is not done by one link opened twice", async () => {
    const { client, email } = await confirmed();
    const wanted = newEmail();
    await client.auth.updateUser({ email: wanted });
    const link = linkIn(await sink.next(wanted));
    await open(link);
    expect(fragmentOf(await open(link))["error_code"]).toBe("otp_expired");
    expect((await client.auth.getUser()).data.user?.email).toBe(email);
    expect((await client.auth.resend({ type: "email_change", email })).error).toBeNull();
    await open(linkIn(await sink.next(wanted)));
    expect((await client.auth.getUser()).data.user?.email).toBe(email);
  });

  test("a link or code signs in without a password, in the project's own words", async () => {
    const { email, id } = await confirmed({ name: "<Ada>" });
    const client = clientOf(host);
    expect((await client.auth.signInWithOtp({ email })).error).toBeNull();
    const mail = await sink.next(email);
    const code = /^Code (\d{6})$/.exec(mail.subject)?.[1] ?? "";
    expect(mail.text).toBe(`For <Ada> at https://app.example.test: ${code}`);
    expect(mail.raw).toContain("&lt;Ada&gt;");
    const { data, error } = await client.auth.verifyOtp({ email, token: code, type: "email" });
    expect(error).toBeNull();
    expect(data.user?.id).toBe(id);
    const again = await client.auth.verifyOtp({ email, token: code, type: "email" });
    expect(again.error).toMatchObject({ status: 403, code: "otp_expired" });
  });

  test("a code is void after five wrong guesses, however many are made at once", async () => {
    const { email } = await confirmed();
    const client = clientOf(host);
    await client.auth.signInWithOtp({ email });
    const code = /(\d{6})/.exec((await sink.next(email)).subject)?.[1] ?? "";
    const wrong = code === "000000" ? "000001" : "000000";
    await Promise.all(
      Array.from(
        { length: 12 },
        async () => await client.auth.verifyOtp({ email, token: wrong, type: "email" }),
      ),
    );
    const late = await client.auth.verifyOtp({ email, token: code, type: "email" });
    expect(late.error?.code).toBe("otp_expired");
  });

  test("a letter that shows no code has none", async () => {
    const { email, id } = await confirmed();
    await clientOf(host).auth.resetPasswordForEmail(email);
    await sink.next(email);
    const { rows } = await owner.query(
      "select code_hash from auth.one_time_tokens where user_id = $1",
      [id],
    );
    expect(rows).toEqual([{ code_hash: null }]);
  });

  test("an unknown address gets an account by link, unless the caller says otherwise", async () => {
    const [stranger, welcome] = [newEmail(), newEmail()];
    const client = clientOf(host);
    const closed = await client.auth.signInWithOtp({
      email: stranger,
      options: { shouldCreateUser: false },
    });
    expect(closed.error).toBeNull();
    const { rows } = await owner.query("select 1 from auth.users where email = $1", [stranger]);
    expect(rows).toEqual([]);
    await client.auth.signInWithOtp({ email: welcome });
    const code = /(\d{6})/.exec((await sink.next(welcome)).subject)?.[1] ?? "";
    const { data } = await client.auth.verifyOtp({
      email: welcome,
      token: code,
      type: "magiclink",
    });
    expect(data.user).toMatchObject({ email: welcome, user_metadata: { email_verified: true } });
  });

  test("a password set before the address was confirmed does not survive a recovery", async () => {
    const email = newEmail();
    await clientOf(host).auth.signUp({ email, password: "Intruder-Horse-1!" });
    await sink.next(email);
    await clientOf(host).auth.resetPasswordForEmail(email);
    await open(linkIn(await sink.next(email)));
    const { error } = await clientOf(host).auth.signInWithPassword({
      email,
      password: "Intruder-Horse-1!",
    });
    expect(error?.code).toBe("invalid_credentials");
  });

  test("an old session has to show who it is before it changes the password", async () => {
    const { client, email, id } = await confirmed();
    await owner.query(
      "update auth.sessions set created_at = now() - interval '25 h' where user_id = $1",
      [id],
    );
    const password = "Another-Horse-43!";
    const bare = await client.auth.updateUser({ password });
    expect(bare.error).toMatchObject({ status: 400, code: "reauthentication_needed" });
    expect((await client.auth.reauthenticate()).error).toBeNull();
    const nonce = /^(\d{6}) is/.exec((await sink.next(email)).subject)?.[1] ?? "";
    const guess = await client.auth.updateUser({
      password,
      nonce: nonce === "123456" ? "654321" : "123456",
    });
    expect(guess.error).toMatchObject({ status: 422, code: "reauthentication_not_valid" });
    const { error } = await client.auth.updateUser({ password, nonce });
    expect(error).toBeNull();
    expect((await sink.next(email)).subject).toBe("Your password was changed");
  });

  test("sign-up by PKCE is confirmed by code exchange", async () => {
    const email = newEmail();
    const client = clientOf(host, "pkce");
    await client.auth.signUp({
      email,
      password: PASSWORD,
      options: { emailRedirectTo: "myapp://done" },
    });
    const target = await open(linkIn(await sink.next(email)));
    expect(target.protocol).toBe("myapp:");
    const { data, error } = await client.auth.exchangeCodeForSession(
      target.searchParams.get("code") ?? "",
    );
    expect(error).toBeNull();
    expect(data.user?.email).toBe(email);
  });

  test("an invitation makes the account and signs its owner in", async () => {
    const email = newEmail();
    const { data, error } = await admin().inviteUserByEmail(email, { data: { team: "A" } });
    expect(error).toBeNull();
    expect(data.user?.invited_at).toBeDefined();
    const mail = await sink.next(email);
    expect(mail.subject).toBe("You have been invited to Example & Sons");
    expect(fragmentOf(await open(linkIn(mail)))).toMatchObject({ type: "invite" });
    const twice = await admin().inviteUserByEmail(email);
    expect(twice.error?.code).toBe("email_exists");
  });
});
