import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";

afterEach(() => vi.restoreAllMocks());

describe("/auth", () => {
  it.each([
    ["SIGN UP", "/signup"],
    ["SIGN IN", "/signin"],
  ])("%s leads to %s", async (name, path) => {
    renderApp("/auth");
    await userEvent.click(await screen.findByRole("button", { name }));
    await waitFor(() => expect(window.location.pathname).toBe(path));
  });

  it("offers the way back and explains infinite loading", async () => {
    renderApp("/auth");
    expect(await screen.findByRole("button", { name: "BACK" })).toBeVisible();
    const explained = screen.getByText(/infinite loading/i);
    expect(explained).toHaveTextContent(/backend is not configured/);
    expect(explained).not.toBeVisible();
    await userEvent.click(screen.getByText("Trouble signing in?"));
    expect(explained).toBeVisible();
  });

  it("says so when no backend is configured", async () => {
    renderApp("/auth", { config: { backend: null } });
    expect(await screen.findByRole("alert")).toHaveTextContent("The backend is not configured");
  });

  it("sends a member home", async () => {
    renderApp("/auth", { session: sessionOf(), rows: memberRows() });
    await waitFor(() => expect(window.location.pathname).toBe("/studentdash"));
  });

  it("clears what the browser kept of a session, also when the server is silent", async () => {
    renderApp("/auth", { reply: () => new Promise(() => {}) });
    localStorage.setItem("sb-old-auth-token", '{"refresh_token":"stuck"}');
    localStorage.setItem("landing-countdown-target", "2026-01-01T00:00:00.000Z");
    await userEvent.click(await screen.findByText("Trouble signing in?"));
    await userEvent.click(await screen.findByRole("button", { name: "Clear Auth State" }));
    await waitFor(() => expect(localStorage.getItem("sb-old-auth-token")).toBeNull());
    expect(localStorage.getItem("landing-countdown-target")).not.toBeNull();
  });
});
