import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";
import { createFakeStripe, installScript, removeScript } from "@/app/testing/fake-stripe.ts";
import { planRows, subscriptionRow } from "./testing/subscription-rows.ts";

beforeEach(() => installScript(() => createFakeStripe().stripe));
afterEach(() => removeScript());

const unpaid = {
  invoice_id: "in_9",
  customer_id: "cus_1",
  number: "F4-0009",
  status: "open",
  currency: "gbp",
  total_pence: 5000,
  starting_balance_pence: 0,
  amount_due_pence: 5000,
  amount_paid_pence: 0,
  amount_refunded_pence: 0,
  lines: [],
  card_brand: null,
  card_last4: null,
  issued_at: "2026-12-01T09:00:00Z",
  paid_at: null,
};

function paywall(subscription: object | null, invoices: readonly object[] = [], at = "/paywall") {
  return renderApp(at, {
    session: sessionOf(),
    rows: {
      ...memberRows(),
      plans: planRows,
      invoices,
      stripe_subscriptions: subscription === null ? null : subscriptionRow(subscription),
    },
    config: {
      stripePublishableKey: "pk_test_1",
      stripeScriptUrl: "http://backend.test/sandbox/stripe/v3/",
    },
  });
}

const told = async (text: RegExp) => {
  const said = await screen.findByText(text);
  return within(said.closest("[role=alert]") as HTMLElement);
};

describe("/paywall of a former member", () => {
  it("says that the payment failed, and leads to the card and the unpaid invoice", async () => {
    paywall({ status: "past_due" }, [unpaid, { ...unpaid, invoice_id: "in_8", status: "paid" }]);
    const notice = await told(/Your last payment failed/);
    expect(notice.getByText(/You have no access until the payment goes through/)).toBeVisible();
    expect(await notice.findByRole("link", { name: "See the unpaid invoice" })).toHaveAttribute(
      "href",
      "/subscriptions/invoices/in_9",
    );
    expect(await screen.findByRole("button", { name: /^PAY £/ })).toBeVisible();
    await userEvent.click(notice.getByRole("link", { name: "Update your card" }));
    expect(await screen.findByRole("heading", { name: "Membership" })).toBeVisible();
    // The form itself, not the button that opens it.
    expect(await screen.findByRole("region", { name: "Update your card" })).toBeVisible();
  });

  it("is where signing in leads, with the same sentence", async () => {
    paywall({ status: "past_due" }, [], "/studentdash");
    await told(/Your last payment failed/);
    expect(window.location.pathname).toBe("/paywall");
  });

  it.each([
    [{ status: "canceled" }, /Your membership has ended/],
    [{ status: "canceled", hold: "refunded" }, /Your last payment was refunded/],
    [{ status: "canceled", hold: "dispute_lost" }, /Your bank reversed a payment/],
    [{ status: "unpaid" }, /Several payments failed/],
    [{ status: "paused" }, /Your membership is paused/],
    [{ status: "incomplete" }, /still processing or requires further action/],
    [
      { status: "incomplete_expired" },
      /^Your first payment didn't go through, and you haven't been charged/,
    ],
    [{ status: "paused", hold: "disputed" }, /Your bank has disputed a payment/],
  ])("says what happened: %o", async (subscription, text) => {
    paywall(subscription);
    const notice = await told(text);
    expect(notice.getByRole("link", { name: "Your membership and invoices" })).toHaveAttribute(
      "href",
      "/subscriptions",
    );
    const support = notice.queryByRole("link", { name: "Contact support" });
    expect(support !== null).toBe("hold" in subscription && subscription.hold === "disputed");
  });

  it.each([null, { status: "not_started" }])("says nothing to a newcomer: %o", async (row) => {
    paywall(row);
    expect(await screen.findByRole("button", { name: /^PAY £/ })).toBeVisible();
    expect(screen.queryByRole("alert")).not.toBeInTheDocument();
    expect(
      screen.queryByRole("link", { name: "Your membership and invoices" }),
    ).not.toBeInTheDocument();
  });
});
