import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { memberRows, renderApp, type TestAppOptions } from "@/app/testing/test-app.tsx";

async function signIn(path: string, emailLabel: string, world: TestAppOptions) {
  const view = renderApp(path, world);
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText(emailLabel), "ada@example.com");
  await user.type(screen.getByLabelText("Password"), "secret");
  await user.click(screen.getByRole("button", { name: "Sign in" }));
  return view;
}

const refuse = (body: object, status = 400): TestAppOptions => ({
  reply: ({ call }) => (call === "POST /auth/v1/token" ? { status, body } : undefined),
});

describe("/signin", () => {
  const attempt = (world: TestAppOptions) => signIn("/signin", "Email", world);

  it("welcomes a member and leads to their dashboard", async () => {
    await attempt({ rows: memberRows({ role: "mentor" }) });
    expect(await screen.findByText("Successfully signed in!")).toBeVisible();
    await waitFor(() => expect(window.location.pathname).toBe("/mentordash"));
  });

  it("leads a member who has not paid to the plans", async () => {
    await attempt({ rows: { ...memberRows(), stripe_subscriptions: null } });
    await waitFor(() => expect(window.location.pathname).toBe("/paywall"));
  });

  it("shows the backend's message", async () => {
    await attempt(refuse({ error_code: "invalid_credentials", msg: "Invalid login credentials" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("Invalid login credentials");
    expect(window.location.pathname).toBe("/signin");
  });

  it("forgets what came of the last attempt with the next, also when a field of it is wrong", async () => {
    await attempt(refuse({ error_code: "invalid_credentials", msg: "Invalid login credentials" }));
    expect(await screen.findByText("Invalid login credentials")).toBeVisible();
    await userEvent.clear(screen.getByLabelText("Password"));
    await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
    expect(await screen.findByText("Please enter your password")).toBeVisible();
    expect(screen.queryByText("Invalid login credentials")).not.toBeInTheDocument();
  });

  it("tells a suspended member so, and where to write", async () => {
    await attempt(refuse({ error_code: "user_banned", msg: "User is banned" }));
    expect(await screen.findByRole("alert")).toHaveTextContent(
      "Your account is suspended, so you can't sign in. We emailed you the reason. If you think this is a mistake, write to support@fourfold.example.",
    );
  });

  it("names the way in that is left after too many wrong passwords", async () => {
    await attempt({
      reply: ({ call }) =>
        call === "POST /auth/v1/token"
          ? {
              status: 429,
              headers: { "retry-after": "30" },
              body: { error_code: "over_request_rate_limit", msg: "Too many attempts to sign in." },
            }
          : undefined,
    });
    expect(await screen.findByRole("alert")).toHaveTextContent(
      "Too many attempts. Try again in 30 seconds. Or choose “Forgotten your password?” and we'll email you a link.",
    );
  });

  it("falls back when there is none", async () => {
    await attempt(refuse({ msg: "" }));
    expect(await screen.findByText("An error occurred during sign in")).toBeVisible();
  });

  it.each<[string, TestAppOptions]>([
    ["the server fails", refuse({ error_code: "unexpected_failure", msg: "XX000: boom" }, 500)],
    ["no answer comes", { reply: () => Promise.reject(new TypeError("Failed to fetch")) }],
  ])("falls back when %s", async (_, world) => {
    await attempt(world);
    expect(await screen.findByText("An error occurred during sign in")).toBeVisible();
  });

  it("wants both fields", async () => {
    const { calls } = renderApp("/signin");
    expect(await screen.findByRole("heading", { name: "Welcome Back" })).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
    expect(screen.getByLabelText("Email")).toHaveAccessibleDescription(
      "Please enter your email address",
    );
    expect(await screen.findByText("Please enter your password")).toBeVisible();
    expect(calls()).toEqual([]);
  });

  it("links to sign-up, password reset and back", async () => {
    renderApp("/signin");
    expect(await screen.findByRole("link", { name: "Create an account" })).toHaveAttribute(
      "href",
      "/signup",
    );
    expect(screen.getByRole("link", { name: "BACK" })).toHaveAttribute("href", "/auth");
    expect(screen.getByRole("link", { name: /forgotten/i })).toHaveAttribute(
      "href",
      "/reset-password",
    );
  });
});

describe("/adminlogin", () => {
  const attempt = (world: TestAppOptions) => signIn("/adminlogin", "Admin email", world);

  it("lets an administrator in", async () => {
    await attempt({ rows: { profiles: { id: "x", role: "admin", onboarding_complete: false } } });
    expect(await screen.findByText("Admin login successful!")).toBeVisible();
    await waitFor(() => expect(window.location.pathname).toBe("/admindash"));
  });

  it("signs anybody else out again and says why", async () => {
    const { calls, client } = await attempt({ rows: memberRows() });
    expect(
      await screen.findByText("You do not have admin privileges. Access denied."),
    ).toBeVisible();
    expect(calls()).toContain("POST /auth/v1/logout");
    expect((await client.auth.getSession()).data.session).toBeNull();
    expect(window.location.pathname).toBe("/adminlogin");
  });

  it("says so when the role cannot be read", async () => {
    await attempt({
      reply: ({ call }) =>
        call === "GET /rest/v1/profiles"
          ? { status: 500, body: { code: "XX000", message: "boom" } }
          : undefined,
    });
    expect(await screen.findByText("Failed to verify admin privileges")).toBeVisible();
  });

  it("says so when no user comes back", async () => {
    await attempt({
      reply: ({ call }) => (call === "POST /auth/v1/token" ? { body: {} } : undefined),
    });
    expect(await screen.findByText("No user data returned")).toBeVisible();
  });

  it("shows the backend's message, or falls back", async () => {
    const { unmount } = await attempt(refuse({ msg: "Invalid login credentials" }));
    expect(await screen.findByText("Invalid login credentials")).toBeVisible();
    unmount();
    await attempt(refuse({ msg: "" }));
    expect(await screen.findByText("An error occurred during admin sign in")).toBeVisible();
  });
});
