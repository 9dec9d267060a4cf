import { describe, expect, inject, test } from "vitest";
import { anonymous, newEmail, testPassword, serviceRole, signUp } from "../../support/clients.ts";
import { fragmentOf, openLink } from "./requests.ts";

const host = inject("host");
const admin = serviceRole().auth.admin;

describe("generated links", () => {
  test("are created for every link type without sending an e-mail", async () => {
    const { email } = await signUp();
    const recovery = await admin.generateLink({
      type: "recovery",
      email,
      options: { redirectTo: `${host.url}/reset` },
    });
    expect(recovery.data.properties).toMatchObject({
      verification_type: "recovery",
      redirect_to: `${host.url}/reset`,
      email_otp: expect.stringMatching(/^\d{6}$/) as string,
    });
    const link = new URL(recovery.data.properties?.action_link ?? "");
    expect(fragmentOf(await openLink(link))).toMatchObject({
      type: "recovery",
      token_type: "bearer",
    });

    const newAddress = newEmail();
    const signup = await admin.generateLink({
      type: "signup",
      email: newAddress,
      password: testPassword,
    });
    const { data } = await anonymous().auth.verifyOtp({
      type: "signup",
      token_hash: signup.data.properties?.hashed_token ?? "",
    });
    expect(data.user?.email).toBe(newAddress);

    const magic = await admin.generateLink({ type: "magiclink", email });
    const signedIn = await anonymous().auth.verifyOtp({
      type: "magiclink",
      email,
      token: magic.data.properties?.email_otp ?? "",
    });
    expect(signedIn.error).toBeNull();

    const wanted = newEmail();
    const change = await admin.generateLink({ type: "email_change_new", email, newEmail: wanted });
    await openLink(new URL(change.data.properties?.action_link ?? ""));
    const moved = await anonymous().auth.signInWithPassword({
      email: wanted,
      password: testPassword,
    });
    expect(moved.error).toBeNull();

    const unknown = await admin.generateLink({ type: "recovery", email: newEmail() });
    expect(unknown.error).toMatchObject({ status: 404, code: "user_not_found" });
    const twice = await admin.generateLink({
      type: "signup",
      email: newAddress,
      password: testPassword,
    });
    expect(twice.error?.code).toBe("email_exists");
  });
});
