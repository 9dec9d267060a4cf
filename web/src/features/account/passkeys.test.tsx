import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";

beforeEach(() => vi.stubGlobal("PublicKeyCredential", Object));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  Reflect.deleteProperty(navigator, "credentials");
});

const phone = {
  id: "22222222-2222-4222-8222-222222222222",
  friendly_name: "My phone",
  created_at: "2026-10-01T10:00:00Z",
  last_used_at: "2026-11-01T10:00:00Z",
};
const fresh = { id: "33333333-3333-4333-8333-333333333333", created_at: "2026-11-02T10:00:00Z" };

function open(
  replies: Readonly<Record<string, Reply>> = {},
  passkeys: readonly object[] = [phone],
) {
  return renderApp("/account#passkeys", {
    session: sessionOf(),
    rows: memberRows(),
    config: { passkeys: true },
    reply: ({ call }) =>
      replies[call] ?? (call === "GET /auth/v1/passkeys" ? { body: passkeys } : undefined),
  });
}

describe("passkeys", () => {
  it("are listed with name, day and last use", async () => {
    open({}, [phone, fresh]);
    const [first, second] = within(
      await screen.findByRole("list", { name: "Your passkeys" }),
    ).getAllByRole("listitem");
    expect(first).toHaveTextContent(/My phone/);
    expect(first).toHaveTextContent(/Last used/);
    expect(first).toHaveTextContent("Added on 1 October 2026");
    expect(second).toHaveTextContent("Not used yet");
  });

  it("are no part of the page where they are off", async () => {
    const { calls } = renderApp("/account#sign-in", { session: sessionOf(), rows: memberRows() });
    expect(await screen.findByRole("heading", { name: "Second factor" })).toBeVisible();
    expect(screen.queryByRole("heading", { name: "Passkeys" })).toBeNull();
    expect(calls()).not.toContain("GET /auth/v1/passkeys");
  });

  it("say that there is none, and when they could not be read", async () => {
    open({}, []);
    expect(await screen.findByText("You don't have any passkeys yet.")).toBeVisible();
  });

  it("can be asked for again after a failure", async () => {
    open({ "GET /auth/v1/passkeys": { status: 500, body: { code: "unexpected_failure" } } });
    expect(await screen.findByText("We couldn't load your passkeys")).toBeVisible();
  });

  it("get another name, but not none", async () => {
    const call = `PATCH /auth/v1/passkeys/${phone.id}`;
    const { seen } = open({ [call]: { body: phone } });
    await userEvent.click(await screen.findByRole("button", { name: "Rename My phone" }));
    const name = screen.getByLabelText("Name");
    await userEvent.clear(name);
    await userEvent.click(screen.getByRole("button", { name: "Save name" }));
    expect(await screen.findByText("Enter a name.")).toBeVisible();
    await userEvent.type(name, "  Work laptop ");
    await userEvent.click(screen.getByRole("button", { name: "Save name" }));
    await waitFor(() =>
      expect(seen.find((request) => request.call === call)?.body).toEqual({
        friendly_name: "Work laptop",
      }),
    );
  });

  it("are removed after a question", async () => {
    const call = `DELETE /auth/v1/passkeys/${phone.id}`;
    const { calls } = open({ [call]: { status: 204 } });
    await userEvent.click(await screen.findByRole("button", { name: "Remove My phone" }));
    await userEvent.click(screen.getByRole("button", { name: "Keep it" }));
    expect(calls()).not.toContain(call);
    await userEvent.click(screen.getByRole("button", { name: "Remove My phone" }));
    await userEvent.click(screen.getByRole("button", { name: "Remove passkey" }));
    expect(await screen.findByText("Passkey removed.")).toBeVisible();
    expect(calls()).toContain(call);
  });

  it("say why one was not added, until something else is done with them", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    open({
      "POST /auth/v1/passkeys/registration/options": {
        status: 422,
        body: { error_code: "too_many_passkeys", msg: "Maximum number of passkeys reached" },
      },
    });
    const credentials = { create: () => null, get: () => null };
    Object.defineProperty(navigator, "credentials", { configurable: true, value: credentials });
    await userEvent.click(await screen.findByRole("button", { name: "Add a passkey" }));
    expect(await screen.findByText(/You already have ten passkeys/)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Rename My phone" }));
    expect(screen.queryByText(/You already have ten passkeys/)).not.toBeInTheDocument();
  });

  it("cannot be added in a browser that does not know them", async () => {
    vi.unstubAllGlobals();
    open();
    expect(
      await screen.findByText(
        "This browser doesn't support passkeys. Try another browser or device.",
      ),
    ).toBeVisible();
    expect(screen.queryByRole("button", { name: "Add a passkey" })).toBeNull();
  });
});

describe("signing in with a passkey", () => {
  it.each([
    ["/signin", 1],
    ["/auth", 1],
    ["/signup", 0],
  ])("is offered at %s %i times", async (path, times) => {
    renderApp(path, { config: { passkeys: true, signInProviders: ["google"] } });
    expect(await screen.findByRole("button", { name: "Continue with Google" })).toBeVisible();
    expect(screen.queryAllByRole("button", { name: "Sign in with a passkey" })).toHaveLength(times);
  });

  it("is not offered where it is off, or where the browser knows none", async () => {
    renderApp("/signin", { config: { signInProviders: ["google"] } });
    expect(await screen.findByRole("button", { name: "Continue with Google" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Sign in with a passkey" })).toBeNull();
  });
});
