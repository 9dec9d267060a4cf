import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";
import type { LinkOutcome } from "@/lib/auth-redirect.ts";

function authRedirect(outcome: LinkOutcome, pathname: string) {
  return { link: { outcome, pathname } };
}

describe("a visit that began with a link from an e-mail", () => {
  it.each(["/auth", "/signin", "/onboarding"])(
    "says at %s that the address is confirmed when another browser had asked",
    async (path) => {
      renderApp(path, { authRedirect: authRedirect("other-browser", "/onboarding") });
      expect(
        await screen.findByText("Your email address is confirmed. Sign in to continue."),
      ).toBeVisible();
    },
  );

  it.each([
    ["other-browser", "/account", /Your new email address is confirmed. Sign in to continue./],
    ["other-browser", "/auth", /doesn.t work here. Sign in to continue./],
    ["awaiting-other-inbox", "/account", /Now open the link we sent to the other one/],
    ["expired", "/onboarding", /This link no longer works/],
    ["failed", "/onboarding", /This link didn't work/],
  ] as const)("tells a visitor what became of it: %s at %s", async (outcome, path, words) => {
    renderApp("/auth", { authRedirect: authRedirect(outcome, path) });
    expect(await screen.findByText(words)).toBeVisible();
  });

  it("tells a member that the session goes on", async () => {
    renderApp("/account", {
      session: sessionOf(),
      rows: memberRows(),
      authRedirect: authRedirect("other-browser", "/auth"),
    });
    expect(await screen.findByText(/You are still signed in as ada@example.com/)).toBeVisible();
  });

  it("says nothing when it signed in, or when there was no link", async () => {
    renderApp("/auth", { authRedirect: authRedirect("signed-in", "/onboarding") });
    expect(await screen.findByRole("heading", { name: "Welcome" })).toBeVisible();
    expect(screen.queryByRole("status")).toBeNull();
  });
});

describe("an account with a one-time password", () => {
  const session = sessionOf();
  const flagged = {
    ...session,
    user: { ...session.user, app_metadata: { password_expires_at: "2026-01-02T00:00:00Z" } },
  };

  it.each(["/admindash", "/account", "/chats", "/adminlogin"])(
    "is led from %s to choosing its own",
    async (path) => {
      renderApp(path, { session: flagged, rows: memberRows({ role: "admin" }) });
      expect(
        await screen.findByRole("heading", { name: "Choose your own password" }),
      ).toBeVisible();
      expect(screen.getByLabelText("One-time password")).toBeVisible();
    },
  );
});
