import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  blueKey,
  keyChallenge,
  phoneApp,
  removeStandIn,
  sessionWith,
  standInForKeys,
  turnedBack,
} from "@/app/testing/security-key.ts";
import { answerCode } from "@/app/testing/second-factor.ts";
import { memberRows, renderApp, type Reply } from "@/app/testing/test-app.tsx";

let keys: ReturnType<typeof standInForKeys>;
beforeEach(() => {
  keys = standInForKeys();
});
afterEach(() => {
  removeStandIn();
  vi.restoreAllMocks();
});

const verifyKey = `POST /auth/v1/factors/${blueKey.id}/verify`;
const keyButton = { name: "Use your security key" };
type Factors = Parameters<typeof sessionWith>[0];

/** Signs in with the password; the account has these second factors. */
async function signIn(
  factors: Factors,
  { path = "/signin", refusal }: { path?: string; refusal?: Reply } = {},
) {
  const view = renderApp(path, {
    rows: memberRows(path === "/adminlogin" ? { role: "admin" } : {}),
    reply: ({ call, body }) => {
      if (call === "POST /auth/v1/token") return { body: sessionWith(factors, false) };
      if (call === `POST /auth/v1/factors/${blueKey.id}/challenge`) return keyChallenge("request");
      if (call === verifyKey) return refusal ?? { body: sessionWith(factors, true) };
      if (call === "POST /functions/v1/use-recovery-code") return { body: { message: "Removed" } };
      return answerCode(call, body);
    },
  });
  await userEvent.type(await screen.findByLabelText(/email/i), "ada@example.com");
  await userEvent.type(screen.getByLabelText("Password"), "secret");
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
  return view;
}

const heading = (name: string) => screen.findByRole("heading", { level: 1, name });

describe("a sign-in with a security key", () => {
  it.each([
    ["/signin", "Successfully signed in!"],
    ["/adminlogin", "Admin login successful!"],
  ])("at %s asks for it after the password, and opens", async (path, text) => {
    const { seen } = await signIn([blueKey], { path });
    expect(await heading("Use your security key")).toBeVisible();
    expect(screen.getByText(/Have “Blue key” ready/)).toBeVisible();
    const button = screen.getByRole("button", keyButton);
    expect(button).toHaveFocus();
    expect(screen.queryByLabelText("Code")).toBeNull();
    expect(screen.queryByRole("button", { name: "Enter a code instead" })).toBeNull();
    expect(window.location.pathname).toBe(path);
    await userEvent.click(button);
    expect(await screen.findByText(text)).toBeVisible();
    expect(seen.find(({ call }) => call === verifyKey)?.body).toMatchObject({
      challenge_id: "challenge",
      webauthn: { type: "request", credential_response: { id: "AAAA" } },
    });
  });

  it("lets one change to the code where both exist, and back", async () => {
    await signIn([phoneApp, blueKey]);
    await heading("Use your security key");
    await userEvent.click(screen.getByRole("button", { name: "Enter a code instead" }));
    expect(await heading("Enter your code")).toBeVisible();
    expect(screen.getByLabelText("Code")).toHaveFocus();
    await userEvent.click(screen.getByRole("button", { name: "Use your security key instead" }));
    expect(await heading("Use your security key")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Enter a code instead" }));
    await userEvent.type(await screen.findByLabelText("Code"), "123456");
    expect(await screen.findByText("Successfully signed in!")).toBeVisible();
    expect(keys.ask).not.toHaveBeenCalled();
  });

  it("comes back to the same place after the browser's question is turned down", async () => {
    keys.ask.mockRejectedValueOnce(turnedBack());
    const { calls } = await signIn([blueKey]);
    await userEvent.click(await screen.findByRole("button", keyButton));
    expect(
      await screen.findByText("No security key was used. Try again when you have it ready."),
    ).toBeVisible();
    expect(await heading("Use your security key")).toBeVisible();
    expect(window.location.pathname).toBe("/signin");
    expect(calls()).not.toContain(verifyKey);
    await userEvent.click(screen.getByRole("button", keyButton));
    expect(await screen.findByText("Successfully signed in!")).toBeVisible();
  });

  it.each([
    [
      "mfa_verification_failed",
      "That key wasn't accepted. Use one that you added to your account.",
    ],
    ["mfa_challenge_expired", "That took too long. Please try again."],
    ["over_request_rate_limit", "Too many attempts. Wait a moment, then try again."],
    ["mfa_webauthn_verify_not_enabled", "Security keys have been switched off here."],
    [
      "unexpected_failure",
      "We couldn't check your security key. Check your connection and try again.",
    ],
  ])("says what to do after %s, and opens nothing", async (code, text) => {
    vi.spyOn(console, "error").mockReturnValue();
    const status = code === "unexpected_failure" ? 500 : 422;
    await signIn([blueKey], { refusal: { status, body: { error_code: code, msg: "x" } } });
    await userEvent.click(await screen.findByRole("button", keyButton));
    expect(await screen.findByText(text, { exact: false })).toBeVisible();
    expect(window.location.pathname).toBe("/signin");
  });

  it("takes a recovery code in place of a lost key", async () => {
    const { seen } = await signIn([blueKey]);
    await userEvent.click(
      await screen.findByRole("button", { name: "Use a recovery code instead" }),
    );
    expect(screen.getByRole("button", { name: "Use your security key instead" })).toBeVisible();
    expect(screen.getByLabelText("Recovery code")).toHaveFocus();
    await userEvent.type(screen.getByLabelText("Recovery code"), "abcd-efgh-jkmn-pqrs");
    await userEvent.click(screen.getByRole("button", { name: "Use recovery code" }));
    expect(await screen.findByText(/Your second factor has been removed/)).toBeVisible();
    expect(seen).toContainEqual({
      call: "POST /functions/v1/use-recovery-code",
      body: { code: "abcd-efgh-jkmn-pqrs" },
    });
  });

  it("asks for the code in a browser that knows no keys, or says what to do without one", async () => {
    removeStandIn();
    const { unmount } = await signIn([phoneApp, blueKey]);
    expect(await heading("Enter your code")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Use your security key instead" })).toBeNull();
    unmount();
    localStorage.clear();
    await signIn([blueKey]);
    expect(await screen.findByText(/This browser doesn't support security keys/)).toBeVisible();
    expect(screen.getByRole("button", keyButton)).toBeDisabled();
    expect(screen.getByRole("button", { name: "Use a recovery code instead" })).toBeVisible();
  });

  it("offers no key where the account has none", async () => {
    await signIn([phoneApp]);
    expect(await heading("Enter your code")).toBeVisible();
    expect(screen.getByLabelText("Code")).toHaveFocus();
    expect(screen.queryByText(/security key/i)).toBeNull();
  });
});
