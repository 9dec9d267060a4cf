import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { overviewRow } from "@/lib/testing/overview-row.ts";
import { memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";

const boom: Reply = { status: 500, body: { code: "XX000", message: "boom" } };
const heading = (name: string | RegExp) => screen.findByRole("heading", { level: 1, name });

describe("a member who signs out", () => {
  it("leaves nothing cached for the next account, whatever the query's key is", async () => {
    const { client, calls } = renderApp("/admindash", {
      session: sessionOf(),
      rows: memberRows({ role: "admin" }),
      reply: ({ call }) =>
        call.endsWith("/rpc/admin_overview") ? { body: overviewRow } : undefined,
    });
    const reads = () => calls().filter((call) => call.endsWith("/rpc/admin_overview")).length;
    expect(await screen.findByText("7 students, 1 mentor; 2 more on trial")).toBeVisible();
    expect(reads()).toBe(1);
    await client.auth.signOut({ scope: "local" });
    expect(await heading("Welcome")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "SIGN IN" }));
    await userEvent.type(await screen.findByLabelText("Email"), "ada@example.com");
    await userEvent.type(screen.getByLabelText("Password"), "Correct-horse-1");
    await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
    await waitFor(() => expect(reads()).toBe(2));
  });
});

describe("signing out everywhere", () => {
  async function signOutEverywhere(reply?: Reply) {
    const user = userEvent.setup();
    const view = renderApp("/account#sign-in", {
      session: sessionOf(),
      rows: memberRows(),
      reply: ({ call }) => (call === "POST /auth/v1/logout" ? reply : undefined),
    });
    await user.click(await screen.findByRole("button", { name: "Sign out everywhere" }));
    const dialog = await screen.findByRole("alertdialog", { name: "Sign out everywhere?" });
    expect(view.calls()).not.toContain("POST /auth/v1/logout");
    await user.click(within(dialog).getByRole("button", { name: "Sign out everywhere" }));
    return view;
  }

  it("asks first, then ends every session", async () => {
    const { calls } = await signOutEverywhere();
    expect(await heading("Welcome")).toBeVisible();
    expect(calls()).toContain("POST /auth/v1/logout");
  });

  it("stays and says so when it did not work", async () => {
    await signOutEverywhere(boom);
    expect(
      await screen.findByText("We couldn't sign you out. Check your connection and try again."),
    ).toBeVisible();
    expect(window.location.pathname).toBe("/account");
  });
});
