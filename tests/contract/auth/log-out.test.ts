import { describe, expect, inject, test } from "vitest";
import { anonymous, testPassword, serviceRole, signUp } from "../../support/clients.ts";
import { call } from "./requests.ts";

const host = inject("host");

/** An account signed in on three devices. */
async function threeDevices() {
  const { client: first, email } = await signUp();
  const [second, third] = [anonymous(), anonymous()];
  await second.auth.signInWithPassword({ email, password: testPassword });
  await third.auth.signInWithPassword({ email, password: testPassword });
  const tokens = await Promise.all(
    [first, second, third].map(async (client) => {
      const { data } = await client.auth.getSession();
      return {
        access: data.session?.access_token ?? "",
        refresh: data.session?.refresh_token ?? "",
      };
    }),
  );
  const alive = async () =>
    await Promise.all(
      tokens.map(async ({ access }) => {
        const { status } = await call(host, "/user", {
          headers: { authorization: `Bearer ${access}` },
        });
        return status === 200;
      }),
    );
  return { first, tokens, alive };
}

describe("signing out", () => {
  test.each([
    ["local", [false, true, true]],
    ["others", [true, false, false]],
    ["global", [false, false, false]],
  ] as const)("with scope %s ends the right sessions", async (scope, expected) => {
    const { first, alive } = await threeDevices();
    expect(await alive()).toEqual([true, true, true]);
    const { error } = await first.auth.signOut({ scope });
    expect(error).toBeNull();
    expect(await alive()).toEqual(expected);
  });

  test("ends the refresh token with the session", async () => {
    const { first, tokens } = await threeDevices();
    await first.auth.signOut({ scope: "local" });
    const answer = await call(host, "/token?grant_type=refresh_token", {
      body: { refresh_token: tokens[0]?.refresh },
    });
    expect([answer.status, answer.body["code"]]).toEqual([400, "refresh_token_not_found"]);
  });

  test("makes an ended session fail with its own error code", async () => {
    const { first, tokens } = await threeDevices();
    await first.auth.signOut({ scope: "others" });
    const { data, error } = await anonymous().auth.getUser(tokens[1]?.access ?? "");
    expect(data.user).toBeNull();
    expect(error?.name).toBe("AuthSessionMissingError");
    const raw = await call(host, "/user", {
      headers: { authorization: `Bearer ${tokens[1]?.access}` },
    });
    expect([raw.status, raw.body["code"]]).toEqual([403, "session_not_found"]);
  });

  test("is available to the service role for any access token", async () => {
    const { tokens, alive } = await threeDevices();
    const { error } = await serviceRole().auth.admin.signOut(tokens[0]?.access ?? "", "global");
    expect(error).toBeNull();
    expect(await alive()).toEqual([false, false, false]);
  });

  test("rejects an unknown scope", async () => {
    const { tokens } = await threeDevices();
    const { status, body } = await call(host, "/logout?scope=everything", {
      method: "POST",
      headers: { authorization: `Bearer ${tokens[0]?.access}` },
    });
    expect([status, body["code"]]).toEqual([400, "validation_failed"]);
  });
});
