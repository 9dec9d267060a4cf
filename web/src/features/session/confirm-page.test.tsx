import type { Session } from "@supabase/supabase-js";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { memberRows, renderApp, sessionKey, sessionOf } from "@/app/testing/test-app.tsx";

const strangerId = "99999999-9999-4999-8999-999999999999";
const buttons = {
  signup: "Confirm my address",
  recovery: "Continue",
  email_change: "Confirm the change",
  invite: "Accept the invitation",
} as const;
type LinkType = keyof typeof buttons;

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

/** As this browser remembers it after signing up with an address. */
function askFor(email: string, next = "/onboarding"): void {
  localStorage.setItem("fourfold-asked-link", JSON.stringify({ email, next, at: Date.now() }));
}

/** A session as a link begins it. */
function linkSession(type: LinkType, email?: string, id?: string): Session {
  const session = sessionOf(email, id);
  const [head = ""] = session.access_token.split(".");
  const claims = {
    sub: session.user.id,
    amr: [{ method: type === "recovery" ? "recovery" : "otp" }],
    exp: session.expires_at,
  };
  return {
    ...session,
    access_token: `${head}.${btoa(JSON.stringify(claims)).replaceAll("=", "")}.c2lnbmVk`,
  };
}

/** Opens the page of a link over an auth service that answers its token with `answer`. */
function visit(
  type: LinkType,
  answer: { status?: number; body: unknown },
  options: { session?: Session } = {},
) {
  const asked: { call: string; body: unknown }[] = [];
  vi.stubGlobal("fetch", (url: string, init?: RequestInit) => {
    const { pathname } = new URL(url);
    asked.push({
      call: `${init?.method ?? "GET"} ${pathname}`,
      body: typeof init?.body === "string" ? (JSON.parse(init.body) as unknown) : null,
    });
    if (pathname !== "/auth/v1/verify") return Promise.resolve(new Response(null, { status: 204 }));
    return Promise.resolve(Response.json(answer.body, { status: answer.status ?? 200 }));
  });
  const view = renderApp(`/confirm?token_hash=pkce_abc&type=${type}`, {
    ...options,
    rows: memberRows(),
    reply: ({ call }) =>
      call === "GET /auth/v1/user" ? { body: (answer.body as Session).user } : undefined,
  });
  return { ...view, asked };
}

async function press(type: LinkType): Promise<void> {
  await userEvent.click(await screen.findByRole("button", { name: buttons[type] }));
}

const keptAddress = () =>
  (JSON.parse(localStorage.getItem(sessionKey) ?? "null") as Session | null)?.user.email;

describe("a link of an e-mail", () => {
  it.each(Object.keys(buttons) as LinkType[])(
    "does nothing until its button is pressed: %s",
    async (type) => {
      const { asked, calls } = visit(type, { body: linkSession(type) });
      await screen.findByRole("button", { name: buttons[type] });
      expect(asked).toEqual([]);
      expect(calls()).not.toContain("POST /auth/v1/verify");
      // Until then the page can be loaded again.
      expect(window.location.search).toContain("token_hash=pkce_abc");
      await press(type);
      await waitFor(() =>
        expect(asked[0]).toMatchObject({
          call: "POST /auth/v1/verify",
          body: { token_hash: "pkce_abc", type },
        }),
      );
      await waitFor(() => expect(window.location.href).not.toContain("pkce_abc"));
    },
  );

  it("chooses a new password on any device, and can be opened by the keyboard", async () => {
    visit("recovery", { body: linkSession("recovery") });
    (await screen.findByRole("button", { name: buttons.recovery })).focus();
    await userEvent.keyboard("{Enter}");
    expect(await screen.findByLabelText("Confirm password")).toBeVisible();
    expect(screen.queryByLabelText("Current password")).toBeNull();
    expect(screen.getByText("ada@example.com")).toBeVisible();
    expect(window.location.pathname).toBe("/update-password");
  });

  it("asks an invited member for a password, and not for an earlier one", async () => {
    visit("invite", { body: linkSession("invite") });
    await press("invite");
    expect(await screen.findByLabelText("Confirm password")).toBeVisible();
    expect(screen.queryByLabelText("Current password")).toBeNull();
  });

  it("signs in by a confirmation where it was asked for, and leads on from there", async () => {
    askFor("Ada@Example.com", "/guarantee");
    visit("signup", { body: linkSession("signup") });
    await press("signup");
    await waitFor(() => expect(window.location.pathname).toBe("/guarantee"));
    expect(keptAddress()).toBe("ada@example.com");
    expect(localStorage.getItem("fourfold-asked-link")).toBeNull();
  });

  it("remembers the plan where the account has to be signed in to", async () => {
    askFor("grace@example.com", "/onboarding?plan=mentor");
    visit("signup", { body: linkSession("signup") });
    await press("signup");
    expect(await screen.findByRole("link", { name: "Sign in" })).toHaveAttribute(
      "href",
      "/signin?plan=mentor",
    );
  });

  it.each([
    ["nobody asked here", null],
    ["another address was asked for here", "grace@example.com"],
  ])("only confirms where %s, because the account may be a stranger's", async (_, email) => {
    if (email !== null) askFor(email);
    const { asked } = visit("signup", { body: linkSession("signup") });
    await press("signup");
    expect(await screen.findByText(/Your email address is confirmed\./)).toBeVisible();
    expect(screen.getByRole("link", { name: "Sign in" })).toHaveAttribute("href", "/signin");
    expect(keptAddress()).toBeUndefined();
    // The session that nobody uses is ended.
    expect(asked.map(({ call }) => call)).toContain("POST /auth/v1/logout");
    expect(document.getElementById("main")).toHaveFocus();
  });

  it("ignores where a remembered link would lead off this site", async () => {
    askFor("ada@example.com", "//evil.example");
    visit("signup", { body: linkSession("signup") });
    await press("signup");
    expect(await screen.findByText(/Your email address is confirmed\./)).toBeVisible();
  });

  it.each(["signup", "recovery", "email_change", "invite"] as const)(
    "of another account never replaces the session there is: %s",
    async (type) => {
      askFor("mallory@example.com");
      const theirs = linkSession(type, "mallory@example.com", strangerId);
      visit(type, { body: theirs }, { session: sessionOf() });
      await press(type);
      if (type !== "email_change") {
        expect(await screen.findByText(/still signed in as ada@example\.com/)).toBeVisible();
      } else {
        expect(await screen.findByText(/is now mallory@example\.com/)).toBeVisible();
      }
      expect(keptAddress()).toBe("ada@example.com");
    },
  );

  it("says of a change of address that the other inbox is to agree", async () => {
    visit("email_change", { body: { msg: "Confirmation link accepted.", code: "200" } });
    await press("email_change");
    expect(await screen.findByText(/Now open the link we sent to the other one/)).toBeVisible();
  });

  it.each([
    ["recovery", "Send a new link", "/reset-password"],
    ["invite", "Send a new link", "/reset-password"],
    ["email_change", "Go to your account", "/account"],
    ["signup", "Sign in", "/signin"],
  ] as const)("that no longer works leads to another one: %s", async (type, name, href) => {
    visit(type, { status: 403, body: { error_code: "otp_expired", msg: "x" } });
    await press(type);
    expect(await screen.findByRole("heading", { name: "This link no longer works" })).toBeVisible();
    expect(screen.getByRole("link", { name })).toHaveAttribute("href", href);
  });

  it("can be sent again where it was asked for", async () => {
    askFor("ada@example.com");
    visit("signup", { status: 403, body: { error_code: "otp_expired", msg: "x" } });
    await press("signup");
    expect(await screen.findByRole("button", { name: "Send the link again" })).toBeVisible();
  });

  it("can be tried again when the server had no answer", async () => {
    const { asked } = visit("recovery", { status: 500, body: { message: "x" } });
    await press("recovery");
    expect(await screen.findByText(/We couldn't open the link/)).toBeVisible();
    await press("recovery");
    await waitFor(() => expect(asked).toHaveLength(2));
  });

  it("says that the account is suspended", async () => {
    visit("recovery", { status: 403, body: { error_code: "user_banned", msg: "User is banned" } });
    await press("recovery");
    expect(await screen.findByText(/Your account is suspended/)).toBeVisible();
  });

  it.each([
    "",
    "?type=recovery",
    "?token_hash=abc",
    "?token_hash=abc&type=sms",
    "?token_hash=%00&type=signup",
  ])("that is incomplete says so: %s", async (search) => {
    renderApp(`/confirm${search}`);
    expect(await screen.findByRole("heading", { name: "This link is incomplete" })).toBeVisible();
  });
});
