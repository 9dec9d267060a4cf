import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { memberRows, renderApp, sessionOf } from "@/app/test-app.tsx";

const strong = "Correct-Horse-9!";

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
  it("offers a new link to somebody who came without a session", async () => {
    renderApp("/update-password");
    expect(await screen.findByRole("link", { name: "Send a new link" })).toHaveAttribute(
      "href",
      "/reset-password",
    );
  });

  async function choose(status = 200, body: unknown = sessionOf().user) {
    const view = renderApp("/update-password", {
      session: sessionOf(),
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

  it("passes on a refusal", async () => {
    await choose(422, { error_code: "same_password", msg: "Choose a different password" });
    expect(await screen.findByText("Choose a different password")).toBeVisible();
  });
});

describe("changing the email address", () => {
  async function change(answeredEmail: string) {
    renderApp("/account", {
      session: sessionOf(),
      rows: memberRows(),
      reply: ({ call }) =>
        call === "PUT /auth/v1/user" ? { body: sessionOf(answeredEmail).user } : undefined,
    });
    await userEvent.type(await screen.findByLabelText("New email"), "ada@new.example");
    await userEvent.click(screen.getByRole("button", { name: "Change email" }));
  }

  it("says when it is done at once", async () => {
    await change("ada@new.example");
    expect(await screen.findByText("Your email address is now ada@new.example.")).toBeVisible();
  });

  it("says when a link must be followed first", async () => {
    await change("ada@example.com");
    expect(await screen.findByText(/Follow the link we sent to ada@new.example/)).toBeVisible();
  });
});
