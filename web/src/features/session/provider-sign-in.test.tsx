import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";
import type { LinkOutcome } from "@/lib/auth-redirect.ts";
import type { SignInProvider } from "@/lib/config.ts";
import { returnPath } from "./api/provider-page.ts";

const names = ["Continue with Google", "Continue with Apple"];
const shown = () =>
  screen
    .queryAllByRole("button")
    .map((button) => button.textContent)
    .filter((name) => names.includes(name));

describe.each(["/auth", "/signup", "/signin"])("%s", (path) => {
  it.each<[readonly SignInProvider[], readonly string[]]>([
    [["google"], ["Continue with Google"]],
    [["google", "apple"], names],
  ])("offers %j", async (signInProviders, expected) => {
    renderApp(path, { config: { signInProviders } });
    await waitFor(() => expect(shown()).toEqual(expected));
  });

  it("offers none, and asks for nothing more, where none is on", async () => {
    const { calls } = renderApp(path);
    expect(await screen.findByRole("heading", { level: 1 })).toBeVisible();
    expect(screen.queryByText("or")).toBeNull();
    expect(screen.queryByRole("button", { name: /^Continue with/ })).toBeNull();
    expect(calls()).toEqual([]);
  });
});

it.each([
  ["", "/signin"],
  ["?plan=mentor", "/signin?plan=mentor"],
  ["?plan=nonsense&next=https://evil.example", "/signin"],
  ["?course=the-basics", "/c/the-basics/buy"],
])("comes back from the provider with %j at %s", (search, path) => {
  expect(returnPath(search)).toBe(path);
});

it.each<[LinkOutcome, RegExp]>([
  ["provider-cancelled", /cancelled before signing in. Nothing has changed/],
  ["provider-unverified", /hasn't been verified there/],
  ["provider-failed", /couldn't sign you in that way. Please try again/],
  ["sign-up-closed", /can't be created at the moment/],
  ["suspended", /Your account is suspended/],
])("tells what became of it: %s", async (outcome, words) => {
  renderApp("/signin", { authRedirect: { link: { outcome, pathname: "/signin" } } });
  expect(await screen.findByText(words)).toBeVisible();
});

/** A session of an account that only these open. */
function sessionBy(providers: readonly string[], signedInAt: number) {
  const session = sessionOf();
  return {
    ...session,
    user: {
      ...session.user,
      last_sign_in_at: new Date(signedInAt).toISOString(),
      app_metadata: { provider: providers[0] ?? "", providers: [...providers] },
    },
  };
}

describe("an account without a password", () => {
  it("is asked for a first password, and not for the one until now", async () => {
    const { seen } = renderApp("/account#sign-in", {
      session: sessionBy(["google"], Date.now()),
      rows: memberRows(),
    });
    expect(await screen.findByText(/You sign in with Google\. With a password/)).toBeVisible();
    expect(screen.queryByLabelText("Current password")).toBeNull();
    await userEvent.type(screen.getByLabelText("Password"), "Correct-Horse-42!");
    await userEvent.type(screen.getByLabelText("Confirm password"), "Correct-Horse-42!");
    await userEvent.click(screen.getByRole("button", { name: "Set password" }));
    await waitFor(() => {
      const body = seen.find(({ call }) => call === "PUT /auth/v1/user")?.body;
      expect(body).toMatchObject({ password: "Correct-Horse-42!" });
      expect(body).not.toHaveProperty("current_password");
    });
  });

  it("is an account like any other once it has one", async () => {
    renderApp("/account#sign-in", {
      session: sessionBy(["google", "email"], Date.now()),
      rows: memberRows(),
    });
    expect(await screen.findByLabelText("Current password")).toBeVisible();
  });

  const call = "POST /functions/v1/delete-my-account";
  const openDeletion = async (signedInAt: number, signInProviders: readonly SignInProvider[]) => {
    const view = renderApp("/account#data", {
      session: sessionBy(["google"], signedInAt),
      rows: memberRows(),
      config: { signInProviders },
      reply: (request) => (request.call === call ? { body: { message: "gone" } } : undefined),
    });
    await userEvent.click(await screen.findByRole("button", { name: "Delete my account" }));
    return view;
  };

  it("is deleted without one just after a sign-in", async () => {
    const { seen } = await openDeletion(Date.now(), ["google"]);
    await userEvent.click(await screen.findByRole("button", { name: "Delete account" }));
    expect(await screen.findByText("Your account has been deleted.")).toBeVisible();
    expect(seen.find((request) => request.call === call)?.body).toEqual({});
  });

  it("asks for another sign-in when the last is long ago", async () => {
    await openDeletion(Date.now() - 3_600_000, ["google", "apple"]);
    expect(await screen.findByRole("button", { name: "Continue with Google" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Continue with Apple" })).toBeNull();
    expect(screen.getByRole("button", { name: "Delete account" })).toBeDisabled();
  });

  it("is led to a password when its provider is off by now", async () => {
    await openDeletion(Date.now() - 3_600_000, []);
    const link = await screen.findByRole("link", { name: "get a link for a new password" });
    expect(link).toHaveAttribute("href", "/reset-password");
    expect(screen.queryByRole("button", { name: "Delete account" })).toBeNull();
  });
});
