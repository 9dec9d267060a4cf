import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  memberRows,
  renderApp,
  sessionKey,
  sessionOf,
  type TestAppOptions,
} from "@/app/testing/test-app.tsx";
import { browserStorage } from "@/lib/browser-storage.ts";

afterEach(() => {
  vi.restoreAllMocks();
  for (const key of browserStorage.keys()) browserStorage.removeItem(key);
});

function fill(): void {
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
  });
}

/** As Safari does with cookies blocked, and Chrome in some frames. */
function block(): void {
  vi.spyOn(window, "localStorage", "get").mockImplementation(() => {
    throw new DOMException("The operation is insecure.", "SecurityError");
  });
}

const world: TestAppOptions = {
  rows: memberRows(),
  reply: ({ call }) => (call === "POST /auth/v1/token" ? { body: sessionOf() } : undefined),
};

async function signIn() {
  const view = renderApp("/signin", world);
  await userEvent.type(await screen.findByLabelText("Email"), "ada@example.com");
  await userEvent.type(screen.getByLabelText("Password"), "Correct-Horse-9!");
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
  await waitFor(() => expect(window.location.pathname).toBe("/studentdash"));
  return view;
}

describe("a browser whose storage is full", () => {
  it("does not sign out who is signed in", async () => {
    localStorage.setItem(sessionKey, JSON.stringify(sessionOf()));
    fill();
    renderApp("/account#sign-in", world);
    expect(await screen.findByLabelText("New email")).toBeVisible();
  });

  it("renews a session whose token has run out, for this tab", async () => {
    const old = { ...sessionOf(), expires_at: Math.floor(Date.now() / 1000) - 60 };
    localStorage.setItem(sessionKey, JSON.stringify(old));
    fill();
    const renewed = { ...sessionOf(), refresh_token: "renewed" };
    const { client, calls } = renderApp("/account#sign-in", {
      ...world,
      reply: ({ call }) => (call === "POST /auth/v1/token" ? { body: renewed } : undefined),
    });
    expect(await screen.findByLabelText("New email")).toBeVisible();
    expect(calls().filter((call) => call === "POST /auth/v1/token")).toHaveLength(1);
    expect((await client.auth.getSession()).data.session?.refresh_token).toBe("renewed");
    // Another tab would end the session by using the old token again.
    expect(localStorage.getItem(sessionKey)).toBeNull();
  });

  it("signs in for this tab, and says on /auth that it keeps nothing", async () => {
    fill();
    renderApp("/auth", world);
    expect(await screen.findByText("This browser can't keep you signed in")).toBeVisible();
    expect(screen.getByText(/Its storage is full, so you stay signed in only until/)).toBeVisible();
    await signIn();
  });
});

describe("a browser that blocks storage", () => {
  it.each(["/auth", "/signin", "/signup"])("says so on %s", async (path) => {
    block();
    renderApp(path, world);
    expect(await screen.findByText(/It blocks storage for this site/)).toBeVisible();
  });

  it("signs in for this tab", async () => {
    block();
    const { client } = await signIn();
    expect((await client.auth.getSession()).data.session?.user.email).toBe("ada@example.com");
  });

  it("answers an invitation all the same", async () => {
    block();
    renderApp("/join/ada", { ...world, reply: () => ({ status: 500, body: {} }) });
    await userEvent.click(await screen.findByRole("button", { name: "Remember and continue" }));
    expect(await screen.findByText(/We couldn't remember it/)).toBeVisible();
  });
});

it("a browser that keeps what it is given says nothing", async () => {
  renderApp("/auth", world);
  expect(await screen.findByRole("button", { name: "SIGN IN" })).toBeVisible();
  expect(screen.queryByText("This browser can't keep you signed in")).toBeNull();
});
