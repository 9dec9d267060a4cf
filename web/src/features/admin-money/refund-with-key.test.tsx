import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  blueKey,
  keyChallenge,
  phoneApp,
  removeStandIn,
  sessionWith,
  standInForKeys,
  turnedBack,
} from "@/app/testing/security-key.ts";
import { memberRows, renderApp } from "@/app/testing/test-app.tsx";

let keys: ReturnType<typeof standInForKeys>;
beforeEach(() => {
  keys = standInForKeys();
});
afterEach(() => removeStandIn());

const payment = {
  payment_id: "ch_1",
  paid_at: "2026-11-01T10:00:00Z",
  amount_pence: 5000,
  refunded_pence: 0,
  currency: "gbp",
  state: "paid",
  invoice_number: "A-0001",
  invoice_reason: "subscription_create",
  card_brand: "visa",
  card_last4: "4242",
  user_id: "u1",
  email: "grace@example.com",
  first_name: "Grace",
  last_name: "Hopper",
};

/** The form of a refund of £12, of an administrator with these second factors. */
async function openRefund(factors: Parameters<typeof sessionWith>[0]) {
  const { calls } = renderApp("/admindash/money", {
    session: sessionWith(factors, true),
    rows: memberRows({ role: "admin" }),
    reply: ({ call }) => {
      if (call.endsWith("/admin_payments")) return { body: [payment] };
      if (call.endsWith("/challenge")) return keyChallenge("request");
      if (call.endsWith("/verify")) return { body: sessionWith(factors, true) };
      if (!call.endsWith("/admin-refund-payment")) return undefined;
      return { body: { refund_id: "re_1", status: "succeeded" } };
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: /^Grace Hopper/ }));
  const panel = within(screen.getByRole("dialog"));
  await userEvent.click(panel.getByRole("button", { name: "Refund" }));
  await userEvent.clear(panel.getByLabelText("Amount in pounds"));
  await userEvent.type(panel.getByLabelText("Amount in pounds"), "12");
  await userEvent.type(panel.getByLabelText("Reason"), "Asked by email");
  return { panel, calls };
}

const refunded = "POST /functions/v1/admin-refund-payment";
const verified = `POST /auth/v1/factors/${blueKey.id}/verify`;

it("a refund asks for the security key of who has no app, and is not made without it", async () => {
  keys.ask.mockRejectedValueOnce(turnedBack());
  const { panel, calls } = await openRefund([blueKey]);
  expect(await panel.findByText(/Have “Blue key” ready/)).toBeVisible();
  expect(panel.queryByLabelText(/Code from your authenticator app/)).toBeNull();
  await userEvent.click(panel.getByRole("button", { name: "Refund £12" }));
  expect(await panel.findByText(/No security key was used/)).toBeVisible();
  expect(calls()).not.toContain(refunded);
  await userEvent.click(panel.getByRole("button", { name: "Refund £12" }));
  expect(await screen.findByText(/^Refunded £12 on /)).toBeVisible();
  expect(calls().indexOf(verified)).toBeLessThan(calls().indexOf(refunded));
  expect(calls()).toContain(verified);
});

it("a refund takes the code all the same where there are both", async () => {
  const { panel, calls } = await openRefund([phoneApp, blueKey]);
  await userEvent.click(await panel.findByRole("button", { name: "Enter a code instead" }));
  await userEvent.click(panel.getByRole("button", { name: "Refund £12" }));
  expect(await panel.findByText("Enter all six digits of the code.")).toBeVisible();
  await userEvent.type(panel.getByLabelText(/Code from your authenticator app/), "123456");
  await userEvent.click(panel.getByRole("button", { name: "Refund £12" }));
  expect(await screen.findByText(/^Refunded £12 on /)).toBeVisible();
  expect(calls()).toContain(`POST /auth/v1/factors/${phoneApp.id}/verify`);
  expect(keys.ask).not.toHaveBeenCalled();
});
