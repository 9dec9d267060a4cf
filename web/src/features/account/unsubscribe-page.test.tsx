import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { renderApp } from "@/app/testing/test-app.tsx";

const call = "POST /functions/v1/unsubscribe";

async function press(): Promise<void> {
  await userEvent.click(await screen.findByRole("button", { name: "Switch them off" }));
}

it("switches emails off by the button alone, for a visitor without a session", async () => {
  const { seen, calls } = renderApp("/unsubscribe?token=abc.digest.123", {
    reply: (request) => (request.call === call ? { body: { kind: "digest" } } : undefined),
  });
  await screen.findByRole("button", { name: "Switch them off" });
  expect(calls()).not.toContain(call);
  await press();
  expect(await screen.findByText(/We won't send you the digest any more\./)).toBeVisible();
  expect(seen.find((one) => one.call === call)?.body).toEqual({ token: "abc.digest.123" });
  expect(document.getElementById("main")).toHaveFocus();
});

it.each([
  [404, /This link is incomplete/],
  [500, /We couldn't switch these emails off/],
])("says what to do when it did not work: %s", async (status, words) => {
  renderApp("/unsubscribe?token=abc", {
    reply: (request) => (request.call === call ? { status, body: { error: "x" } } : undefined),
  });
  await press();
  expect(await screen.findByText(words)).toBeVisible();
  expect(screen.getByRole("button", { name: "Switch them off" })).toBeEnabled();
});

it("says so when the link has no token", async () => {
  renderApp("/unsubscribe");
  expect(await screen.findByText(/This link is incomplete/)).toBeVisible();
});
