import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newEmail, testPassword } from "../../support/clients.ts";
import { startConfirmingHost, type ConfirmingHost } from "./confirming-host.ts";
import { clientOf, linkIn, openLink } from "./requests.ts";

let confirming: ConfirmingHost;
let host: ConfirmingHost["running"];
let sink: ConfirmingHost["sink"];
beforeAll(async () => {
  confirming = await startConfirmingHost();
  ({ running: host, sink } = confirming);
});
afterAll(async () => await confirming.stop());

describe("one-time links and codes", () => {
  test("a code signs in without a password, from the project's own template", async () => {
    const { email, id } = await confirming.confirmed({ name: "<Ada>" });
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

  test("a code is invalid after five wrong guesses, even if sent at once", async () => {
    const { email } = await confirming.confirmed();
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

  test("a code for a phone, which no account has, is answered as one that was never sent", async () => {
    const client = clientOf(host);
    const enter = async (phone: string) =>
      (await client.auth.verifyOtp({ phone, token: "123456", type: "sms" })).error;
    expect(await enter("+44 1632 960000")).toMatchObject({ status: 403, code: "otp_expired" });
    expect(await enter("+44-bell")).toMatchObject({
      status: 400,
      message: "Invalid phone number format (E.164 required)",
    });
  });

  test("no code is created for a template without one", async () => {
    const { email, id } = await confirming.confirmed();
    await clientOf(host).auth.resetPasswordForEmail(email);
    await sink.next(email);
    const { rows } = await confirming.owner.query(
      "select code_hash from auth.one_time_tokens where user_id = $1",
      [id],
    );
    expect(rows).toEqual([{ code_hash: null }]);
  });

  test("an unknown address gets an account unless create_user is false", async () => {
    const [unknown, created] = [newEmail(), newEmail()];
    const client = clientOf(host);
    const closed = await client.auth.signInWithOtp({
      email: unknown,
      options: { shouldCreateUser: false },
    });
    expect(closed.error).toBeNull();
    const { rows } = await confirming.owner.query("select 1 from auth.users where email = $1", [
      unknown,
    ]);
    expect(rows).toEqual([]);
    await client.auth.signInWithOtp({ email: created });
    const code = /(\d{6})/.exec((await sink.next(created)).subject)?.[1] ?? "";
    const { data } = await client.auth.verifyOtp({
      email: created,
      token: code,
      type: "magiclink",
    });
    expect(data.user).toMatchObject({ email: created, user_metadata: { email_verified: true } });
  });

  test("an old session needs reauthentication to change the password", async () => {
    const { client, email, id } = await confirming.confirmed();
    await confirming.owner.query(
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

  test("a PKCE sign-up is confirmed by code exchange", async () => {
    const email = newEmail();
    const client = clientOf(host, "pkce");
    await client.auth.signUp({
      email,
      password: testPassword,
      options: { emailRedirectTo: "myapp://done" },
    });
    const target = await openLink(linkIn(await sink.next(email)));
    expect(target.protocol).toBe("myapp:");
    const { data, error } = await client.auth.exchangeCodeForSession(
      target.searchParams.get("code") ?? "",
    );
    expect(error).toBeNull();
    expect(data.user?.email).toBe(email);
  });
});
