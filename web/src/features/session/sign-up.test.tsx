import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { adaId, renderApp, type Reply, type TestAppOptions } from "@/app/testing/test-app.tsx";

const strong = "Correct-Horse-9!";

async function fillIn(password = strong, confirmation = password, email = "ada@example.com") {
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText("Email"), email);
  if (password) await user.type(screen.getByLabelText("Password"), password);
  if (confirmation) await user.type(screen.getByLabelText("Confirm password"), confirmation);
  return user;
}

const submitButton = () => screen.getByRole("button", { name: "Create account" });

async function signUp(world: TestAppOptions) {
  const view = renderApp("/signup", world);
  const user = await fillIn();
  await user.click(submitButton());
  return view;
}

describe("the sign-up form", () => {
  it("can only be submitted with a strong password typed twice", async () => {
    renderApp("/signup");
    const user = await fillIn("Correct-Horse-9", "");
    expect(submitButton()).toBeDisabled();
    await user.type(screen.getByLabelText("Confirm password"), "Correct-Horse-9");
    expect(submitButton()).toBeDisabled();
    await user.type(screen.getByLabelText("Password"), "!");
    expect(submitButton()).toBeDisabled();
    await user.type(screen.getByLabelText("Confirm password"), "!");
    expect(submitButton()).toBeEnabled();
  });

  it("rates the password while it is typed", async () => {
    renderApp("/signup");
    const user = await fillIn("abc", "");
    const strength = () => document.querySelector("[data-strength]");
    expect(strength()).toHaveTextContent("Weak");
    await user.type(screen.getByLabelText("Password"), "D1");
    expect(strength()).toHaveTextContent("Fair");
    await user.type(screen.getByLabelText("Password"), "!");
    expect(strength()).toHaveTextContent("Good");
    await user.type(screen.getByLabelText("Password"), "longer");
    expect(strength()).toHaveTextContent("Strong");
    expect(strength()).toHaveAttribute("data-strength", "green");
    expect(screen.getAllByRole("listitem").map((item) => item.dataset["met"])).toEqual(
      Array.from({ length: 5 }, () => "true"),
    );
  });

  it("calls weak what the server would refuse, in its words, and sends nothing", async () => {
    const { calls } = renderApp("/signup");
    const user = await fillIn("Password1234!", "Password1234!", "whitfield@example.com");
    const password = screen.getByLabelText("Password");
    const refusal = /^This password is easy to guess because it is common or based on your email/;
    expect(await screen.findByText(refusal)).toBeVisible();
    expect(document.querySelector("[data-strength]")).toHaveTextContent("Weak");
    expect(document.querySelector("[data-strength]")).toHaveAttribute("data-strength", "red");
    expect(password).toBeInvalid();
    expect(submitButton()).toBeDisabled();
    fireEvent.keyDown(password, { key: "Enter" });
    for (const [text, accepted] of [
      ["Whitfield-Horse-9!", false],
      ["Meadow-Anvil-Horse-9!", true],
    ] as const) {
      for (const label of ["Password", "Confirm password"]) {
        await user.clear(screen.getByLabelText(label));
        await user.type(screen.getByLabelText(label), text);
      }
      await waitFor(() => expect(submitButton()).toHaveProperty("disabled", !accepted));
    }
    // Another address makes a good password guessable.
    await user.clear(screen.getByLabelText("Email"));
    await user.type(screen.getByLabelText("Email"), "meadow-anvil@example.com");
    expect(await screen.findByText(refusal)).toBeVisible();
    expect(submitButton()).toBeDisabled();
    expect(calls()).toEqual([]);
  });

  it("explains on Enter what a disabled button hides", async () => {
    renderApp("/signup");
    const user = await fillIn("Abc", "Abd");
    const password = screen.getByLabelText("Password");
    // An Enter that belongs to an input method, as Safari sends it.
    expect(fireEvent.keyDown(password, { key: "Enter", keyCode: 229 })).toBe(true);
    expect(fireEvent.keyDown(password, { key: "Enter" })).toBe(false);
    await user.keyboard("{Enter}");
    expect(password).toBeInvalid();
    expect(password).toHaveAccessibleDescription(
      /Please ensure your password meets all requirements/,
    );
    expect(screen.getByLabelText("Confirm password")).toHaveAccessibleDescription(
      "Passwords do not match",
    );
  });

  it("says that the passwords differ when the field is left", async () => {
    renderApp("/signup");
    const user = await fillIn(strong, "Correct-Horse-8!");
    expect(screen.queryByText("Passwords do not match")).not.toBeInTheDocument();
    await user.tab();
    expect(screen.getByText("Passwords do not match")).toBeVisible();
    await user.clear(screen.getByLabelText("Confirm password"));
    await user.type(screen.getByLabelText("Confirm password"), strong);
    expect(screen.queryByText("Passwords do not match")).not.toBeInTheDocument();
  });

  it("does not send an address that is none", async () => {
    const { calls } = renderApp("/signup");
    const user = await fillIn(strong, strong, "ada");
    await user.click(submitButton());
    expect(screen.getByText("Please enter a valid email address")).toBeVisible();
    expect(calls()).toEqual([]);
  });

  it("links to sign-in and back", async () => {
    renderApp("/signup");
    expect(await screen.findByRole("link", { name: "Sign in" })).toHaveAttribute("href", "/signin");
    expect(screen.getByRole("link", { name: "BACK" })).toHaveAttribute("href", "/auth");
  });
});

describe("signing up", () => {
  it("creates account, profile and customer in this order and leads to the plans", async () => {
    const { calls, seen } = await signUp({});
    const text = "Account created successfully! You can now sign in.";
    expect(await screen.findByText(text)).toBeVisible();
    await waitFor(() => expect(window.location.pathname).toBe("/paywall"));
    const writes = calls().filter((call) => call.startsWith("POST"));
    expect(writes.slice(0, 1)).toEqual(["POST /auth/v1/signup"]);
    expect(writes.indexOf("POST /rest/v1/profiles")).toBeLessThan(
      writes.indexOf("POST /functions/v1/create-stripe-customer"),
    );
    expect(seen.find(({ call }) => call === "POST /rest/v1/profiles")?.body).toEqual({
      id: adaId,
      onboarding_complete: false,
      role: "student",
    });
  });

  it("carries on when the customer cannot be prepared", async () => {
    await signUp({
      reply: ({ call }) =>
        call.endsWith("create-stripe-customer") ? { status: 500, body: {} } : undefined,
    });
    await waitFor(() => expect(window.location.pathname).toBe("/paywall"));
  });

  it("sends a registered address to sign-in, where it is filled in", async () => {
    await signUp({
      reply: ({ call }) =>
        call === "POST /auth/v1/signup"
          ? {
              status: 422,
              body: { error_code: "user_already_exists", msg: "User already registered" },
            }
          : undefined,
    });
    expect(
      await screen.findByText(
        "An account with this email already exists. Redirecting you to sign in...",
      ),
    ).toBeVisible();
    // After exactly two seconds, says sign-up-redirect.test.tsx.
    await waitFor(() => expect(window.location.pathname).toBe("/signin"));
    expect(await screen.findByLabelText("Email")).toHaveValue("ada@example.com");
  });

  it("shows the backend's own message", async () => {
    await signUp({
      reply: ({ call }) =>
        call === "POST /auth/v1/signup"
          ? {
              status: 422,
              body: { error_code: "weak_password", msg: "Password is known to be weak" },
            }
          : undefined,
    });
    expect(await screen.findByText("Password is known to be weak")).toBeVisible();
  });

  it("says at the field why a password is refused", async () => {
    await signUp({
      reply: ({ call }) =>
        call === "POST /auth/v1/signup"
          ? {
              status: 422,
              body: {
                error_code: "weak_password",
                msg: "x",
                weak_password: { reasons: ["pwned"] },
              },
            }
          : undefined,
    });
    const field = screen.getByLabelText("Password");
    await waitFor(() => expect(field).toHaveAccessibleDescription(/easy to guess/));
    expect(field).toHaveFocus();
  });

  it("falls back when the backend gives none", async () => {
    await signUp({
      reply: ({ call }) =>
        call === "POST /auth/v1/signup" ? { status: 400, body: { msg: "" } } : undefined,
    });
    expect(await screen.findByText("An error occurred during sign up")).toBeVisible();
  });

  it("says so when the profile could not be made", async () => {
    await signUp({
      reply: ({ call }) =>
        call === "POST /rest/v1/profiles"
          ? { status: 403, body: { code: "42501", message: "permission denied" } }
          : undefined,
    });
    expect(
      await screen.findByText(
        "Account created but failed to initialize profile. Please try signing in.",
      ),
    ).toBeVisible();
    expect(window.location.pathname).toBe("/signup");
  });

  it("says so when the browser keeps no session", async () => {
    const refused = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {});
    await signUp({});
    expect(await screen.findByText(/no session was started. Please try signing in/)).toBeVisible();
    expect(window.location.pathname).toBe("/signup");
    refused.mockRestore();
  });

  it("asks to check the inbox when the address must be confirmed", async () => {
    await signUp({
      reply: ({ call }) =>
        call === "POST /auth/v1/signup"
          ? { body: { id: adaId, email: "ada@example.com" } }
          : undefined,
    });
    expect(await screen.findByRole("heading", { name: "Check your inbox" })).toBeVisible();
    expect(screen.getByText("ada@example.com")).toBeVisible();
  });

  it("remembers a chosen plan for the link in the inbox, which leads to the checkout with it", async () => {
    const { seen } = renderApp("/signup?plan=mentor", {
      reply: ({ call }) =>
        call === "POST /auth/v1/signup"
          ? { body: { id: adaId, email: "ada@example.com" } }
          : undefined,
    });
    await (await fillIn()).click(submitButton());
    expect(await screen.findByRole("link", { name: /sign in$/ })).toHaveAttribute(
      "href",
      "/signin?plan=mentor",
    );
    const asked = seen.find(({ call }) => call.startsWith("POST /auth/v1/signup"));
    // For a link that is opened on another device.
    expect(asked?.body).toMatchObject({ data: { plan: "mentor" } });
    // The address given to the backend stays the one it allows.
    expect(asked?.call).not.toContain("plan");
    const kept = JSON.parse(localStorage.getItem("fourfold-asked-link") ?? "{}") as {
      next?: string;
    };
    expect(kept.next).toBe("/onboarding?plan=mentor");
  });

  describe("sends the confirmation again", () => {
    const waiting = (answer: Reply): TestAppOptions => ({
      reply: ({ call }) => {
        if (call === "POST /auth/v1/signup")
          return { body: { id: adaId, email: "ada@example.com" } };
        return call === "POST /auth/v1/resend" ? answer : undefined;
      },
    });
    async function askAgain(answer: Reply) {
      const view = await signUp(waiting(answer));
      await userEvent.click(await screen.findByRole("button", { name: "Send the link again" }));
      return view;
    }

    it("to the same address", async () => {
      const { seen } = await askAgain({ body: {} });
      expect(await screen.findByText(/We sent a new link/)).toBeVisible();
      const asked = seen.find(({ call }) => call === "POST /auth/v1/resend");
      expect(asked?.body).toMatchObject({ type: "signup", email: "ada@example.com" });
    });

    it("and says when it is too soon", async () => {
      const msg = "For security purposes, you can only request this after 42 seconds.";
      await askAgain({ status: 429, body: { error_code: "over_email_send_rate_limit", msg } });
      expect(await screen.findByText(/You can ask for another one in 42 seconds/)).toBeVisible();
    });

    it("and says when it failed", async () => {
      await askAgain({ status: 400, body: {} });
      expect(await screen.findByText("We couldn't send the link. Please try again.")).toBeVisible();
    });
  });

  it("passes on what the stand-in client says", async () => {
    await signUp({
      config: { backend: null },
      reply: () => ({
        status: 400,
        body: { code: "MOCK_CLIENT", message: "The backend is not configured." },
      }),
    });
    expect(await screen.findByText("The backend is not configured.")).toBeVisible();
  });
});
