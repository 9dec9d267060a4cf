import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import {
  memberRows,
  renderApp,
  sessionKey,
  sessionOf,
  type Reply,
  type TestAppOptions,
} from "@/app/testing/test-app.tsx";

const cancel = "POST /functions/v1/stripe-cancel-subscription";
const uncancel = "POST /functions/v1/stripe-uncancel-subscription";

const subscriptionRow = (differs: object = {}) => ({
  customer_id: "cus_1",
  subscription_id: "sub_1",
  status: "active",
  price_id: "price_student_access",
  current_period_end: 1_798_761_600,
  cancel_at_period_end: false,
  payment_method_brand: "visa",
  payment_method_last4: "4242",
  ...differs,
});

function open(differs: object = {}, replies: Readonly<Record<string, Reply>> = {}) {
  const row = { now: subscriptionRow(differs) };
  const world: TestAppOptions = {
    session: sessionOf(),
    rows: {
      ...memberRows(),
      plans: [
        {
          id: "student-access",
          name: "Student Access",
          role: "student",
          amount_pence: 5000,
          currency: "GBP",
          interval: "month",
          price_id: "price_student_access",
        },
      ],
    },
    reply: ({ call }) =>
      call === "GET /rest/v1/stripe_subscriptions" ? { body: [row.now] } : replies[call],
  };
  return { ...renderApp("/subscriptions", world), row };
}

const press = async (name: string | RegExp) =>
  userEvent.click(await screen.findByRole("button", { name }));

async function confirmCancelling() {
  await press("Cancel Subscription");
  const dialog = await screen.findByRole("alertdialog", { name: "Cancel your subscription?" });
  await userEvent.click(within(dialog).getByRole("button", { name: "Yes, cancel" }));
}

describe("/subscriptions", () => {
  it("explains that a dispute holds the membership, and whom to contact", async () => {
    open({ status: "paused", hold: "disputed" });
    expect(await screen.findByText(/Your bank has disputed a payment/)).toBeVisible();
    expect(screen.getByText("On hold")).toBeVisible();
    expect(screen.getByRole("link", { name: "Contact support" })).toHaveAttribute(
      "href",
      "mailto:support@fourfold.example",
    );
    expect(screen.queryByRole("link", { name: "View Plans" })).not.toBeInTheDocument();
    expect(screen.queryByText(/Renews on|Access until/)).not.toBeInTheDocument();
  });

  it.each([
    ["refunded", /Your last payment was refunded, so your membership has ended/],
    ["dispute_lost", /Your bank reversed a payment, so your membership has ended/],
  ])("says that it ended because a payment was %s, and offers the plans", async (hold, text) => {
    open({ status: "canceled", hold });
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.getByRole("link", { name: "View Plans" })).toBeVisible();
  });

  it("shows plan, status, period and card", async () => {
    open();
    expect(await screen.findByText("Student Access")).toBeVisible();
    expect(screen.getByText("£50 per month")).toBeVisible();
    expect(screen.getByText("Active")).toBeVisible();
    expect(screen.getByText("1 January 2027")).toBeVisible();
    expect(screen.getByText("Visa ending in 4242")).toBeVisible();
    expect(screen.getByRole("link", { name: "Go to Dashboard" })).toHaveAttribute(
      "href",
      "/studentdash",
    );
  });

  it.each([
    ["incomplete", /payment is still processing or requires further action/],
    ["past_due", /last payment failed.*update your payment method/i],
  ])("explains %s", async (status, note) => {
    open({ status });
    expect(await screen.findByText(note)).toBeVisible();
  });

  it("asks before cancelling", async () => {
    const { calls } = open();
    await press("Cancel Subscription");
    await press("Keep my subscription");
    await waitFor(() => expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument());
    expect(calls()).not.toContain(cancel);
  });

  it("cancels at the end of the period", async () => {
    const { seen, row } = open({}, { [cancel]: { body: { message: "ok" } } });
    await screen.findByText("Active");
    row.now = subscriptionRow({ cancel_at_period_end: true });
    await confirmCancelling();
    expect(
      await screen.findByText(
        "Subscription will be canceled at the end of your current billing period",
      ),
    ).toBeVisible();
    expect(seen.find(({ call }) => call === cancel)?.body).toEqual({ subscription_id: "sub_1" });
    expect(screen.getByText("Access until")).toBeVisible();
    expect(screen.getByRole("button", { name: "Keep My Subscription" })).toBeVisible();
  });

  it("resumes a cancelled subscription", async () => {
    const { row } = open(
      { cancel_at_period_end: true },
      { [uncancel]: { body: { message: "ok" } } },
    );
    await screen.findByText("Active, ending");
    row.now = subscriptionRow();
    await press("Keep My Subscription");
    expect(
      await screen.findByText("Subscription has been reactivated and will continue to renew"),
    ).toBeVisible();
    expect(screen.getByText("Renews on")).toBeVisible();
  });

  it.each<[string, Reply]>([
    ["Failed to cancel subscription", { status: 500, body: {} }],
    ["No such subscription", { status: 404, body: { error: "No such subscription" } }],
  ])("says %s", async (text, reply) => {
    open({}, { [cancel]: reply });
    await confirmCancelling();
    expect(await screen.findByText(text)).toBeVisible();
  });

  it("reports when resuming failed", async () => {
    open({ cancel_at_period_end: true }, { [uncancel]: { status: 500, body: {} } });
    await press("Keep My Subscription");
    expect(await screen.findByText("Failed to uncancel subscription")).toBeVisible();
  });

  it("reports a missing session", async () => {
    const { calls } = open();
    await screen.findByText("Active");
    localStorage.removeItem(sessionKey);
    await confirmCancelling();
    expect(await screen.findByText("No active session")).toBeVisible();
    expect(calls()).not.toContain(cancel);
  });

  it("refreshes the status on request", async () => {
    const { row } = open();
    await screen.findByText("Active");
    row.now = subscriptionRow({ status: "past_due" });
    await press("Refresh Status");
    expect(await screen.findByText("Past due")).toBeVisible();
  });

  it("shows the plans to a subscriber, and a link to them to everyone else", async () => {
    const { unmount } = open();
    await press("View Plans");
    expect(await screen.findByRole("dialog", { name: "Plans" })).toHaveTextContent("Your plan");
    unmount();
    renderApp("/subscriptions", {
      session: sessionOf(),
      rows: { ...memberRows(), stripe_customers: null },
    });
    expect(await screen.findByRole("link", { name: "View Plans" })).toHaveAttribute(
      "href",
      "/paywall",
    );
  });
});
