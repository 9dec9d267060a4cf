import { describe, expect, inject, test } from "vitest";
import { signUp } from "../../support/clients.ts";
import { enrollSecondFactor } from "../../support/second-factor.ts";
import { headersOf, errorOf, signInAgain } from "../../support/sessions.ts";
import { call } from "./requests.ts";

const host = inject("host");

describe("an aal1 session of an account with a factor", () => {
  test("cannot add or remove a factor or change password or address", async () => {
    const account = await signUp();
    const factor = await enrollSecondFactor(account.client);
    const thief = await signInAgain(account);
    const enrolled = await thief.auth.mfa.enroll({ factorType: "totp", friendlyName: "Thief" });
    expect(errorOf(enrolled)).toEqual([403, "insufficient_aal"]);
    const removed = await thief.auth.mfa.unenroll({ factorId: factor.id });
    expect(errorOf(removed)).toEqual([422, "insufficient_aal"]);
    const password = await thief.auth.updateUser({ password: "Another-Horse-42!" });
    expect(errorOf(password)).toEqual([401, "insufficient_aal"]);
    const email = await thief.auth.updateUser({ email: "thief@example.test" });
    expect(errorOf(email)).toEqual([401, "insufficient_aal"]);
    const { error } = await account.client.auth.updateUser({ password: "Another-Horse-42!" });
    expect(error).toBeNull();
  });
});

describe("log-out from an aal1 session", () => {
  test("ends only that session of an account with a factor", async () => {
    const account = await signUp();
    await enrollSecondFactor(account.client);
    const thief = await signInAgain(account);
    const others = await call(host, "/logout?scope=others", {
      method: "POST",
      headers: await headersOf(thief),
    });
    expect([others.status, others.body["code"]]).toEqual([403, "insufficient_aal"]);
    const stale = await headersOf(thief);
    expect((await thief.auth.signOut({ scope: "global" })).error).toBeNull();
    expect((await call(host, "/user", { headers: stale })).body["code"]).toBe("session_not_found");
    expect((await account.client.auth.getUser()).error).toBeNull();
    const second = await signInAgain(account);
    expect((await account.client.auth.signOut({ scope: "others" })).error).toBeNull();
    expect((await second.auth.getUser()).error).not.toBeNull();
    expect((await account.client.auth.getUser()).error).toBeNull();
  });
});
