import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { memberRows, renderApp, sessionKey, sessionOf } from "@/app/testing/test-app.tsx";
import { sessionEnded } from "@/lib/error-codes.ts";
import { handleSessionError } from "@/lib/session-errors.ts";
import { toast } from "@/ui/toast.tsx";

const elsewhere = "You signed out in another tab.";
const channels: BroadcastChannel[] = [];

function open(name: string): BroadcastChannel {
  const channel = new BroadcastChannel(name);
  channels.push(channel);
  return channel;
}

/** Resolves once a message has come through a channel. Call it before the message is sent. */
async function arrival(name: string): Promise<void> {
  const channel = open(name);
  await new Promise((resolve) => channel.addEventListener("message", resolve, { once: true }));
}

/** Says on a channel what another tab would, and lets it arrive. */
async function say(name: string, message: unknown): Promise<void> {
  const arrived = arrival(name);
  const channel = open(name);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel stays within its origin and has no such argument
  channel.postMessage(message);
  await act(() => arrived);
}

const signOutElsewhere = () => say("sign-out", "another tab");

/** What the authentication library tells the other tabs, whatever ended the session. */
async function endElsewhere(): Promise<void> {
  localStorage.removeItem(sessionKey);
  await say(sessionKey, { event: "SIGNED_OUT", session: null });
}

afterEach(() => {
  vi.restoreAllMocks();
  for (const channel of channels.splice(0)) channel.close();
});

/** What was told; a toast that is shown outlives its test. */
const watchToasts = () => vi.spyOn(toast, "info");
const welcome = () => screen.findByRole("heading", { level: 1, name: "Welcome" });

describe("a tab whose session ends", () => {
  async function openAccount() {
    const told = watchToasts();
    const view = renderApp("/account#sign-in", { session: sessionOf(), rows: memberRows() });
    expect(await screen.findByRole("heading", { level: 1, name: "Account" })).toBeVisible();
    return { ...view, told };
  }

  it("says that the member signed out in another tab", async () => {
    const { told } = await openAccount();
    await endElsewhere();
    await signOutElsewhere();
    expect(await welcome()).toBeVisible();
    await waitFor(() => expect(told.mock.calls).toEqual([[elsewhere]]));
    expect(await screen.findByText(elsewhere)).toBeVisible();
  });

  it("does not say so when the session ended for another reason", async () => {
    const { told } = await openAccount();
    await endElsewhere();
    expect(await welcome()).toBeVisible();
    expect(told).not.toHaveBeenCalled();
  });

  it("does not say so of a sign-out in this tab", async () => {
    const { told } = await openAccount();
    const [button] = await screen.findAllByRole("button", { name: "Sign out" });
    const announced = arrival("sign-out");
    await userEvent.click(button as Element);
    expect(await welcome()).toBeVisible();
    await act(() => announced);
    expect(told).not.toHaveBeenCalled();
  });

  it("gives one reason when the server ended it", async () => {
    const { client, told } = await openAccount();
    const { data } = await client.auth.getSession();
    const ended = Response.json({ code: sessionEnded }, { status: 401 });
    await act(() =>
      handleSessionError(client.auth, `Bearer ${data.session?.access_token ?? ""}`, ended),
    );
    await signOutElsewhere();
    expect(told.mock.calls).toEqual([["You have been signed out. Please sign in again."]]);
  });
});

it("says nothing to a visitor", async () => {
  const told = watchToasts();
  renderApp("/auth");
  expect(await welcome()).toBeVisible();
  await signOutElsewhere();
  expect(told).not.toHaveBeenCalled();
});
