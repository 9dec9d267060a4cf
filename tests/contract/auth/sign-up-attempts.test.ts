import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newEmail, testPassword } from "../../support/clients.ts";
import { startConfirmingHost, type ConfirmingHost } from "./confirming-host.ts";
import { clientOf, fragmentOf, linkIn, openLink } from "./requests.ts";

const intruderPassword = "Intruder-Horse-1!";

let confirming: ConfirmingHost;
let host: ConfirmingHost["running"];
beforeAll(async () => {
  confirming = await startConfirmingHost();
  host = confirming.running;
});
afterAll(async () => await confirming.stop());

/** Signs up and reads the e-mail. @returns the link of this sign-up */
async function signUp(email: string, password: string, data: object = {}): Promise<URL> {
  const { error } = await clientOf(host).auth.signUp({ email, password, options: { data } });
  if (error) throw error;
  return linkIn(await confirming.sink.next(email));
}

/** The same with PKCE. @returns the link, and a function that exchanges its code in the browser that signed up */
async function signUpInBrowser(email: string, password: string, data: object = {}) {
  const client = clientOf(host, "pkce");
  const { error } = await client.auth.signUp({ email, password, options: { data } });
  if (error) throw error;
  const link = linkIn(await confirming.sink.next(email));
  const redeem = async (target: URL) =>
    await client.auth.exchangeCodeForSession(target.searchParams.get("code") ?? "");
  return { link, redeem };
}

/** Signs in. @returns null, or the error code */
async function trySignIn(email: string, password: string): Promise<string | null> {
  const { error } = await clientOf(host).auth.signInWithPassword({ email, password });
  return error?.code ?? null;
}

async function resend(email: string): Promise<URL> {
  const { error } = await clientOf(host).auth.resend({ type: "signup", email });
  if (error) throw error;
  return linkIn(await confirming.sink.next(email));
}

describe("several sign-ups with one unconfirmed address", () => {
  test.each(["before", "after"])(
    "an attacker's password set %s the owner's is void once the owner opens their link",
    async (order) => {
      const email = newEmail();
      const early =
        order === "before" ? await signUp(email, intruderPassword, { by: "intruder" }) : null;
      const mine = await signUpInBrowser(email, testPassword, { by: "owner" });
      const theirs = early ?? (await signUp(email, intruderPassword, { by: "intruder" }));
      expect((await mine.redeem(await openLink(mine.link))).error).toBeNull();
      expect(await trySignIn(email, intruderPassword)).toBe("invalid_credentials");
      const { data, error } = await clientOf(host).auth.signInWithPassword({
        email,
        password: testPassword,
      });
      expect(error).toBeNull();
      expect(data.user?.user_metadata).toEqual({ by: "owner", email_verified: true });
      // The other sign-up's link is invalid.
      expect(fragmentOf(await openLink(theirs))["error_code"]).toBe("otp_expired");
      expect(await trySignIn(email, intruderPassword)).toBe("invalid_credentials");
      expect(await trySignIn(email, testPassword)).toBeNull();
    },
  );

  test("a repeated sign-up takes the password of the link that was opened", async () => {
    const email = newEmail();
    await signUp(email, "First-Horse-11!");
    const second = await signUpInBrowser(email, testPassword);
    expect((await second.redeem(await openLink(second.link))).error).toBeNull();
    expect(await trySignIn(email, testPassword)).toBeNull();
    expect(await trySignIn(email, "First-Horse-11!")).toBe("invalid_credentials");
  });

  test("either link of a sign-up that was repeated with its password confirms with it", async () => {
    for (const opened of [0, 1]) {
      const email = newEmail();
      const links = [await signUp(email, testPassword), await signUp(email, testPassword)];
      await openLink(links[opened]!);
      expect(await trySignIn(email, testPassword)).toBeNull();
    }
  });

  test("a sign-up that is sent twice at once is one", async () => {
    const email = newEmail();
    const [link] = await Promise.all([signUp(email, testPassword), signUp(email, testPassword)]);
    await openLink(link);
    expect(await trySignIn(email, testPassword)).toBeNull();
  });

  test("a resent link keeps the password of the only sign-up", async () => {
    const email = newEmail();
    await signUp(email, testPassword);
    await openLink(await resend(email));
    expect(await trySignIn(email, testPassword)).toBeNull();
  });

  test("a resent link confirms without a password when several sign-ups have claimed the address", async () => {
    const email = newEmail();
    await signUp(email, intruderPassword);
    await signUp(email, testPassword);
    expect(fragmentOf(await openLink(await resend(email)))).toHaveProperty("access_token");
    expect(await trySignIn(email, intruderPassword)).toBe("invalid_credentials");
    expect(await trySignIn(email, testPassword)).toBe("invalid_credentials");
    await clientOf(host).auth.resetPasswordForEmail(email);
    const { access_token = "", refresh_token = "" } = fragmentOf(
      await openLink(linkIn(await confirming.sink.next(email))),
    );
    const client = clientOf(host);
    await client.auth.setSession({ access_token, refresh_token });
    expect((await client.auth.updateUser({ password: testPassword })).error).toBeNull();
    expect(await trySignIn(email, testPassword)).toBeNull();
  });

  test("an invitation removes the password of an earlier sign-up", async () => {
    const email = newEmail();
    await signUp(email, intruderPassword);
    await confirming.admin.inviteUserByEmail(email);
    await openLink(linkIn(await confirming.sink.next(email)));
    expect(await trySignIn(email, intruderPassword)).toBe("invalid_credentials");
  });

  test("of two links opened at the same time one succeeds and the other is invalid", async () => {
    const email = newEmail();
    const links = [await signUp(email, intruderPassword), await signUp(email, testPassword)];
    const outcomes = await Promise.all(links.map(async (link) => fragmentOf(await openLink(link))));
    const opened = outcomes.map((outcome) => "access_token" in outcome);
    expect(opened.filter(Boolean)).toHaveLength(1);
    const codes = [await trySignIn(email, intruderPassword), await trySignIn(email, testPassword)];
    // Neither link proves which browser chose its password, so neither password takes effect.
    expect(codes).toEqual(["invalid_credentials", "invalid_credentials"]);
  });

  test.each(["implicit", "pkce"] as const)(
    "another person's link, opened by the owner, confirms without that person's password (%s)",
    async (flow) => {
      const email = newEmail();
      const theirs =
        flow === "pkce"
          ? (await signUpInBrowser(email, intruderPassword)).link
          : await signUp(email, intruderPassword);
      const mine = await signUpInBrowser(email, testPassword);
      const target = await openLink(theirs);
      if (flow === "pkce")
        expect((await mine.redeem(target)).error?.code).toBe("bad_code_verifier");
      expect(await trySignIn(email, intruderPassword)).toBe("invalid_credentials");
    },
  );
});

describe("a sign-up that gets no e-mail because one was just sent", () => {
  let patient: ConfirmingHost;
  beforeAll(async () => {
    patient = await startConfirmingHost({ maxFrequency: "1m" });
  });
  afterAll(async () => await patient.stop());

  test("has still claimed the address: the link on its way confirms without the other's password", async () => {
    const email = newEmail();
    const signUpWith = async (password: string) =>
      (await clientOf(patient.running).auth.signUp({ email, password })).error?.code ?? null;
    expect(await signUpWith(intruderPassword)).toBeNull();
    expect(await signUpWith(testPassword)).toBe("over_email_send_rate_limit");
    const opened = await openLink(linkIn(await patient.sink.next(email)));
    expect(fragmentOf(opened)).toHaveProperty("access_token");
    const { error } = await clientOf(patient.running).auth.signInWithPassword({
      email,
      password: intruderPassword,
    });
    expect(error?.code).toBe("invalid_credentials");
  });

  test.each([1, 2])(
    "leaves the password that one person chose, pressing %i times",
    async (presses) => {
      const email = newEmail();
      const codes = [];
      for (let press = 0; press < presses; press += 1) {
        const { error } = await clientOf(patient.running).auth.signUp({
          email,
          password: testPassword,
        });
        codes.push(error?.code);
      }
      expect(codes).toEqual([undefined, "over_email_send_rate_limit"].slice(0, presses));
      await openLink(linkIn(await patient.sink.next(email)));
      const { error } = await clientOf(patient.running).auth.signInWithPassword({
        email,
        password: testPassword,
      });
      expect(error).toBeNull();
    },
  );
});
