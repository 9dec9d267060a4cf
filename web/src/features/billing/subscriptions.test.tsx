import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import {
  memberRows,
  renderApp,
  sessionKey,
  sessionOf,
  type Reply,
} from "@/app/testing/test-app.tsx";
import {
  answerSubscription,
  mentorPrice,
  planRows,
  subscriptionRow,
} from "./testing/subscription-rows.ts";

const cancel = "POST /functions/v1/stripe-cancel-subscription";
const uncancel = "POST /functions/v1/stripe-uncancel-subscription";

function open(differs: object = {}, replies: Readonly<Record<string, Reply>> = {}) {
  const { row, reply } = answerSubscription(differs, ({ call }) => replies[call]);
  const rows = { ...memberRows(), plans: planRows };
  return { ...renderApp("/subscriptions", { session: sessionOf(), rows, reply }), row };
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
    expect(screen.queryByRole("link", { name: "View plans" })).not.toBeInTheDocument();
    expect(screen.queryByText(/Renews on|Access until/)).not.toBeInTheDocument();
  });

  it.each([
    ["refunded", /Your last payment was refunded, so your membership has ended/],
    ["dispute_lost", /Your bank reversed a payment, so your membership has ended/],
  ])("says that it ended because a payment was %s, and offers the plans", async (hold, text) => {
    open({ status: "canceled", hold });
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.getByRole("link", { name: "View plans" })).toBeVisible();
    expect(screen.queryAllByText(/5 to 10 working days to show on your card/)).toHaveLength(
      hold === "refunded" ? 1 : 0,
    );
    // It would be the paywall.
    expect(await screen.findByRole("button", { name: "Sign out" })).toBeVisible();
    expect(screen.queryByRole("link", { name: "Go to dashboard" })).not.toBeInTheDocument();
  });

  it("shows plan, status, period and card", async () => {
    open();
    expect(await screen.findByText("Student Access")).toBeVisible();
    expect(screen.getByText("£50 per month")).toBeVisible();
    expect(screen.getByText("Active")).toBeVisible();
    expect(screen.getByText("1 January 2027")).toBeVisible();
    expect(screen.getByText("Visa ending in 4242")).toBeVisible();
    expect(screen.getByRole("link", { name: "Go to dashboard" })).toHaveAttribute(
      "href",
      "/studentdash",
    );
    expect(screen.getByRole("button", { name: "Sign out" })).toBeVisible();
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

  it("says before cancelling that a planned switch is dropped", async () => {
    open({ pending_price_id: mentorPrice, pending_from: 1_798_761_600 });
    await press("Cancel Subscription");
    const dialog = await screen.findByRole("alertdialog", { name: "Cancel your subscription?" });
    expect(
      within(dialog).getByText(/also drops your planned switch to Mentor Access/),
    ).toBeVisible();
  });

  it("says nothing of a switch before cancelling when none is planned", async () => {
    open();
    await press("Cancel Subscription");
    const dialog = await screen.findByRole("alertdialog");
    expect(dialog).toHaveTextContent("You'll keep your access until 1 January 2027.");
    expect(dialog).not.toHaveTextContent(/switch/);
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

  it("says only how the last thing went", async () => {
    const { row } = open(
      { cancel_at_period_end: true },
      { [uncancel]: { body: { message: "ok" } } },
    );
    await screen.findByText("Active, ending");
    row.now = subscriptionRow();
    await press("Keep My Subscription");
    const said = await screen.findByText(/^Subscription has been reactivated/);
    await press("Update Card");
    expect(said).not.toBeInTheDocument();
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
    await press("Refresh status");
    expect(await screen.findByText("Past due")).toBeVisible();
  });

  it("shows the plans to a subscriber, and a link to them to everyone else", async () => {
    const { unmount } = open();
    await press("View plans");
    expect(await screen.findByRole("dialog", { name: "Plans" })).toHaveTextContent("Your plan");
    unmount();
    renderApp("/subscriptions", {
      session: sessionOf(),
      rows: { ...memberRows(), stripe_subscriptions: null },
    });
    expect(await screen.findByRole("link", { name: "View plans" })).toHaveAttribute(
      "href",
      "/paywall",
    );
  });
});

describe("a trial", () => {
  const trial = { status: "trialing" };

  it("says what is charged, when, and to which card", async () => {
    open(trial);
    expect(
      await screen.findByText(
        "Nothing is charged until 1 January 2027. Then we charge £50 per month, before any discounts, to Visa ending in 4242.",
      ),
    ).toBeVisible();
    expect(screen.getByText("Trial ends on")).toBeVisible();
    expect(screen.queryByText("Renews on")).not.toBeInTheDocument();
  });

  it("asks for a card when there is none", async () => {
    open({ ...trial, payment_method_brand: null, payment_method_last4: null });
    expect(
      await screen.findByText(
        "Nothing is charged until 1 January 2027. Add a card before then to keep your access.",
      ),
    ).toBeVisible();
  });

  it("that was cancelled ends without a charge", async () => {
    open({ ...trial, cancel_at_period_end: true });
    expect(await screen.findByText("Your trial ends without a charge.")).toBeVisible();
    expect(screen.getByText("Access until")).toBeVisible();
  });

  it("says before cancelling that nothing is charged, and why the plan can't be switched", async () => {
    open(trial);
    await press("Cancel Subscription");
    expect(await screen.findByRole("alertdialog")).toHaveTextContent(
      "You'll keep your access until your trial ends on 1 January 2027. Nothing is charged",
    );
    await press("Keep my subscription");
    await press("View plans");
    expect(await screen.findByRole("dialog", { name: "Plans" })).toHaveTextContent(
      "You can switch plans once your trial has ended.",
    );
  });
});
