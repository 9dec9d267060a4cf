import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newEmail, testPassword } from "../../support/clients.ts";
import { startConfirmingHost, type ConfirmingHost } from "./confirming-host.ts";
import { call, clientOf, fragmentOf, linkIn, openLink } from "./requests.ts";

let confirming: ConfirmingHost;
let host: ConfirmingHost["running"];
let sink: ConfirmingHost["sink"];
beforeAll(async () => {
  confirming = await startConfirmingHost();
  ({ running: host, sink } = confirming);
});
afterAll(async () => await confirming.stop());

describe("with e-mail confirmation", () => {
  test("sign-up creates no session until the link is opened", async () => {
    const email = newEmail();
    const client = clientOf(host);
    const { data, error } = await client.auth.signUp({
      email,
      password: testPassword,
      options: { emailRedirectTo: "https://club.example.test/welcome" },
    });
    expect(error).toBeNull();
    expect(data.session).toBeNull();
    expect(data.user).toMatchObject({ email, identities: [{ provider: "email" }] });
    expect(data.user?.confirmation_sent_at).toBeDefined();
    const early = await client.auth.signInWithPassword({ email, password: testPassword });
    expect(early.error?.code).toBe("email_not_confirmed");

    const mail = await sink.next(email);
    expect(mail.subject).toBe("Please confirm your e-mail address");
    expect(mail.text).toContain("Example & Sons");
    const target = await openLink(linkIn(mail));
    expect(`${target.origin}${target.pathname}`).toBe("https://club.example.test/welcome");
    expect(fragmentOf(target)).toMatchObject({ type: "signup", token_type: "bearer" });
    const after = await client.auth.signInWithPassword({ email, password: testPassword });
    expect(after.data.user).toMatchObject({ user_metadata: { email_verified: true } });
  });

  test("sign-up with an address in use looks like a new sign-up", async () => {
    const { email } = await confirming.confirmed();
    const [taken, fresh] = await Promise.all(
      [email, newEmail()].map(
        async (address) =>
          await call(host, "/signup", {
            body: { email: address, password: testPassword, data: { a: 1 } },
          }),
      ),
    );
    expect(taken?.status).toBe(200);
    expect(Object.keys(taken?.body ?? {}).toSorted()).toEqual(
      Object.keys(fresh?.body ?? {}).toSorted(),
    );
    expect(taken?.body).toMatchObject({ email, identities: [], user_metadata: { a: 1 } });
    const { rows } = await confirming.owner.query("select 1 from auth.users where id = $1", [
      taken?.body["id"],
    ]);
    expect(rows).toEqual([]);
    expect(sink.all().filter((mail) => mail.to === email)).toEqual([]);
  });

  test("the link can be resent, and the response for an unknown address is the same", async () => {
    const email = newEmail();
    const client = clientOf(host);
    await client.auth.signUp({ email, password: testPassword });
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
    const { client, email } = await confirming.confirmed();
    const wanted = newEmail();
    await client.auth.updateUser({ email: wanted });
    const half = fragmentOf(await openLink(linkIn(await sink.next(wanted))));
    expect(half["message"]).toMatch(/confirm link sent to the other email/);
    expect((await client.auth.getUser()).data.user?.email).toBe(email);
    const full = fragmentOf(await openLink(linkIn(await sink.next(email))));
    expect(full).toMatchObject({ type: "email_change", token_type: "bearer" });
    expect((await client.auth.getUser()).data.user?.email).toBe(wanted);
  });

  test("opening one link twice does not complete a change of address", async () => {
    const { client, email } = await confirming.confirmed();
    const wanted = newEmail();
    await client.auth.updateUser({ email: wanted });
    const link = linkIn(await sink.next(wanted));
    await openLink(link);
    expect(fragmentOf(await openLink(link))["error_code"]).toBe("otp_expired");
    expect((await client.auth.getUser()).data.user?.email).toBe(email);
    expect((await client.auth.resend({ type: "email_change", email })).error).toBeNull();
    await openLink(linkIn(await sink.next(wanted)));
    expect((await client.auth.getUser()).data.user?.email).toBe(email);
  });

  test("a password set before the address was confirmed does not survive a recovery", async () => {
    const email = newEmail();
    await clientOf(host).auth.signUp({ email, password: "Intruder-Horse-1!" });
    await sink.next(email);
    await clientOf(host).auth.resetPasswordForEmail(email);
    await openLink(linkIn(await sink.next(email)));
    const { error } = await clientOf(host).auth.signInWithPassword({
      email,
      password: "Intruder-Horse-1!",
    });
    expect(error?.code).toBe("invalid_credentials");
  });

  test("an invitation creates the account and signs its owner in", async () => {
    const email = newEmail();
    const { data, error } = await confirming.admin.inviteUserByEmail(email, {
      data: { team: "A" },
    });
    expect(error).toBeNull();
    expect(data.user?.invited_at).toBeDefined();
    const mail = await sink.next(email);
    expect(mail.subject).toBe("You have been invited to Example & Sons");
    expect(fragmentOf(await openLink(linkIn(mail)))).toMatchObject({ type: "invite" });
    const twice = await confirming.admin.inviteUserByEmail(email);
    expect(twice.error?.code).toBe("email_exists");
  });
});
