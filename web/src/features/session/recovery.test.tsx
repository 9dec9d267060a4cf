import type { Session } from "@supabase/supabase-js";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";

const strong = "Correct-Horse-9!";

/** A session that a recovery link began, as its access token says. */
function recoverySession(): Session {
  const session = sessionOf();
  const [head = "", , signature = ""] = session.access_token.split(".");
  const claims = { sub: session.user.id, amr: [{ method: "recovery" }], exp: session.expires_at };
  return { ...session, access_token: `${head}.${btoa(JSON.stringify(claims))}.${signature}` };
}

function weak(reason: string): object {
  return { error_code: "weak_password", msg: "x", weak_password: { reasons: [reason] } };
}

describe("/reset-password", () => {
  it("sends a link and says the same whether the account exists or not", async () => {
    const { seen } = renderApp("/reset-password");
    await userEvent.type(await screen.findByLabelText("Email"), "ada@example.com");
    await userEvent.click(screen.getByRole("button", { name: "Send the link" }));
    expect(await screen.findByText(/If/)).toHaveTextContent("ada@example.com");
    expect(seen[0]).toMatchObject({
      call: "POST /auth/v1/recover",
      body: { email: "ada@example.com" },
    });
  });

  it("shows why the link could not be sent", async () => {
    renderApp("/reset-password", {
      reply: () => ({ status: 429, body: { msg: "Please wait a minute" } }),
    });
    await userEvent.type(await screen.findByLabelText("Email"), "ada@example.com");
    await userEvent.click(screen.getByRole("button", { name: "Send the link" }));
    expect(await screen.findByText("Please wait a minute")).toBeVisible();
  });
});

describe("/update-password", () => {
  it("offers a new link to a visitor without a session", async () => {
    renderApp("/update-password");
    expect(await screen.findByRole("link", { name: "Send a new link" })).toHaveAttribute(
      "href",
      "/reset-password",
    );
  });

  it("says what to do when the link was asked for in another browser", async () => {
    const authRedirect = {
      link: { outcome: "other-browser", pathname: "/update-password" },
    } as const;
    renderApp("/update-password", { authRedirect });
    expect(
      await screen.findByRole("heading", { name: "This link can't be used here" }),
    ).toBeVisible();
    expect(screen.getByText(/Request a new link here and open it in this browser/)).toBeVisible();
    expect(screen.getByRole("link", { name: "Send a new link" })).toBeVisible();
  });

  it("does not take another person's link for a reset of the signed-in account", async () => {
    const authRedirect = {
      link: { outcome: "other-browser", pathname: "/update-password" },
    } as const;
    renderApp("/update-password", { session: sessionOf(), rows: memberRows(), authRedirect });
    expect(await screen.findByText(/You are still signed in as ada@example.com/)).toBeVisible();
    expect(screen.getByLabelText("Current password")).toBeVisible();
  });

  it("asks for the current password in a session that no recovery link began", async () => {
    const { seen } = renderApp("/update-password", {
      session: sessionOf(),
      rows: memberRows(),
      reply: ({ call }) => (call === "PUT /auth/v1/user" ? { body: sessionOf().user } : undefined),
    });
    await userEvent.type(await screen.findByLabelText("New password"), strong);
    await userEvent.type(screen.getByLabelText("Confirm password"), strong);
    await userEvent.click(screen.getByRole("button", { name: "Change password" }));
    expect(await screen.findByText("Please enter your current password")).toBeVisible();
    await userEvent.type(screen.getByLabelText("Current password"), "Old-Lantern-77?");
    await userEvent.click(screen.getByRole("button", { name: "Change password" }));
    expect(await screen.findByText("Your password has been changed.")).toBeVisible();
    expect(seen.find(({ call }) => call === "PUT /auth/v1/user")?.body).toMatchObject({
      password: strong,
      current_password: "Old-Lantern-77?",
    });
  });

  async function choose(status = 200, body: unknown = sessionOf().user) {
    const view = renderApp("/update-password", {
      session: recoverySession(),
      rows: memberRows(),
      reply: ({ call }) => (call === "PUT /auth/v1/user" ? { status, body } : undefined),
    });
    await userEvent.type(await screen.findByLabelText("Password"), strong);
    await userEvent.type(screen.getByLabelText("Confirm password"), strong);
    await userEvent.click(screen.getByRole("button", { name: "Change password" }));
    return view;
  }

  it("changes the password", async () => {
    const { seen } = await choose();
    expect(await screen.findByText("Your password has been changed.")).toBeVisible();
    expect(seen.find(({ call }) => call === "PUT /auth/v1/user")?.body).toMatchObject({
      password: strong,
    });
  });

  it("refuses what is easy to guess of this account, before it is sent", async () => {
    const session = sessionOf("amara.whitfield@example.com");
    const { calls } = renderApp("/account#sign-in", { session, rows: memberRows() });
    const guessable = "Amara.Whitfield-7!";
    await userEvent.type(await screen.findByLabelText("New password"), guessable);
    expect(await screen.findByText(/This password is easy to guess/)).toBeVisible();
    await userEvent.type(screen.getByLabelText("Confirm password"), guessable);
    expect(screen.getByRole("button", { name: "Change password" })).toBeDisabled();
    expect(calls().filter((call) => call.startsWith("PUT"))).toEqual([]);
  });

  it("passes on a refusal", async () => {
    await choose(422, { error_code: "over_quota", msg: "Choose a different moment" });
    expect(await screen.findByText("Choose a different moment")).toBeVisible();
  });

  it.each([
    [{ error_code: "same_password", msg: "x" }, /This is your current password/],
    [{ error_code: "current_password_invalid", msg: "x" }, /This is not your current password/],
    [weak("pwned"), /This password is easy to guess/],
    [weak("length"), /Use at least 12 characters/],
    [weak("characters"), /one of !@#/],
  ])("says in plain words why a password is refused: %j", async (body, words) => {
    await choose(422, body);
    expect(await screen.findByText(words)).toBeVisible();
  });

  it("says at the field what is wrong with the password, until it is changed", async () => {
    await choose(422, weak("pwned"));
    const field = screen.getByLabelText("Password");
    await waitFor(() => expect(field).toHaveAccessibleDescription(/easy to guess/));
    expect(field).toBeInvalid();
    expect(field).toHaveFocus();
    await userEvent.type(field, "x");
    expect(screen.queryByText(/easy to guess/)).toBeNull();
  });
});

describe("changing the email address", () => {
  async function change(answer: string | Reply, typed = "ada@new.example") {
    const answered = typeof answer === "string" ? { body: sessionOf(answer).user } : answer;
    const view = renderApp("/account#sign-in", {
      session: sessionOf(),
      rows: memberRows(),
      reply: ({ call }) => {
        if (call === "GET /auth/v1/user") return { body: sessionOf().user };
        return call === "PUT /auth/v1/user" ? answered : undefined;
      },
    });
    await userEvent.type(await screen.findByLabelText("New email"), typed);
    await userEvent.click(screen.getByRole("button", { name: "Change email" }));
    return view;
  }

  it("says when it is done at once", async () => {
    await change("ada@new.example");
    expect(await screen.findByText("Your email address is now ada@new.example.")).toBeVisible();
  });

  it("asks nothing of the server for one's own address", async () => {
    const { seen } = await change("ada@example.com", "ADA@example.com");
    expect(await screen.findByText("This is your email address already.")).toBeVisible();
    expect(screen.getByLabelText("New email")).toHaveFocus();
    expect(seen.some(({ call }) => call === "PUT /auth/v1/user")).toBe(false);
  });

  it("says that another account has the address", async () => {
    const body = { code: 422, error_code: "email_exists", msg: "A user with this email address …" };
    await change({ status: 422, body });
    expect(await screen.findByText("Another account uses this email address.")).toBeVisible();
  });

  it("says when a link must be followed first", async () => {
    await change("ada@example.com");
    expect(await screen.findByText(/Follow the link we sent to ada@new.example/)).toBeVisible();
  });
});
