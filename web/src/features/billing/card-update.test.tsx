import { screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import userEvent from "@testing-library/user-event";
import { memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";
import { createFakeStripe, installScript, removeScript } from "@/app/testing/fake-stripe.ts";
import { answerSubscription, planRows, subscriptionRow } from "./testing/subscription-rows.ts";

const setupCall = "POST /functions/v1/stripe-create-setup-intent";
const updateCall = "POST /functions/v1/stripe-update-card";
const cancelCall = "POST /functions/v1/stripe-cancel-subscription";
const config = {
  stripePublishableKey: "pk_test_1",
  stripeScriptUrl: "http://backend.test/sandbox/stripe/v3/",
};

let provider: ReturnType<typeof createFakeStripe>;
beforeEach(() => {
  provider = createFakeStripe();
  installScript(() => provider.stripe);
});
afterEach(() => removeScript());

const press = async (name: string | RegExp) =>
  userEvent.click(await screen.findByRole("button", { name }));

/** Opens the card form of an overdue member; each setup is a new one, the updates are answered in turn. */
async function openForm(updates: Reply[]) {
  let setups = 0;
  const { row, reply } = answerSubscription<Reply>({ status: "past_due" }, ({ call }) => {
    if (call === updateCall) return updates.shift() ?? { status: 500, body: {} };
    if (call === cancelCall) return { status: 500, body: {} };
    if (call !== setupCall) return undefined;
    setups += 1;
    return { body: { client_secret: `seti_${setups}_secret` } };
  });
  const rows = { ...memberRows(), plans: planRows };
  const view = renderApp("/subscriptions", { session: sessionOf(), rows, reply, config });
  await press("Update Card");
  await waitFor(() => expect(provider.options).toHaveLength(1));
  provider.change({ complete: true });
  return { ...view, row };
}

const setupsSent = (view: { seen: readonly { call: string; body: unknown }[] }) =>
  view.seen.filter(({ call }) => call === updateCall).map(({ body }) => body);
const saved: Reply = { body: { success: true, paid: true } };
const asks = (secret: string): Reply => ({
  body: { success: false, requires_action: true, client_secret: secret },
});

describe("updating the card of an overdue membership", () => {
  it("goes on to the second overdue invoice after the bank approved the first", async () => {
    const view = await openForm([asks("pi_1_secret"), asks("pi_2_secret"), saved]);
    view.row.now = subscriptionRow();
    await press("Save Card");
    expect(
      await screen.findByText(
        "Your new card is saved and the outstanding payment has gone through.",
      ),
    ).toBeVisible();
    expect(provider.confirmCardPayment.mock.calls).toEqual([["pi_1_secret"], ["pi_2_secret"]]);
    expect(await screen.findByText("Active")).toBeVisible();
    // What is done next alone says how it went.
    await press("Cancel Subscription");
    await press("Yes, cancel");
    expect(await screen.findByText("Failed to cancel subscription")).toBeVisible();
    expect(screen.queryByText(/^Your new card is saved/)).not.toBeInTheDocument();
  });

  it("can be repeated after a decline, with a fresh setup, and shows the card saved meanwhile", async () => {
    const declined = { status: 402, body: { success: false, error: "Your card was declined." } };
    const view = await openForm([declined, saved]);
    view.row.now = subscriptionRow({ status: "past_due", payment_method_last4: "0341" });
    await press("Save Card");
    expect(await screen.findByText("Your card was declined.")).toBeVisible();
    expect(await screen.findByText("Visa ending in 0341")).toBeVisible();
    await press("Save Card");
    expect(
      await screen.findByText(
        "Your new card is saved and the outstanding payment has gone through.",
      ),
    ).toBeVisible();
    expect(setupsSent(view)).toEqual([
      { setup_intent_id: "seti_1" },
      { setup_intent_id: "seti_2" },
    ]);
  });

  it("can be repeated after the bank refused the card itself", async () => {
    provider.confirmCardSetup.mockResolvedValueOnce({ error: { message: "Your bank said no." } });
    const view = await openForm([saved]);
    await press("Save Card");
    expect(await screen.findByText("Your bank said no.")).toBeVisible();
    await press("Save Card");
    expect(
      await screen.findByText(
        "Your new card is saved and the outstanding payment has gone through.",
      ),
    ).toBeVisible();
    expect(setupsSent(view)).toEqual([{ setup_intent_id: "seti_2" }]);
  });
});

describe("the link to the card form", () => {
  const rows = {
    ...memberRows(),
    plans: planRows,
    stripe_subscriptions: subscriptionRow({ status: "past_due" }),
  };

  it("opens the form", async () => {
    renderApp("/subscriptions?card=update", { session: sessionOf(), rows, config });
    expect(await screen.findByRole("region", { name: "Update your card" })).toBeVisible();
  });

  it("is kept on the way through signing in", async () => {
    renderApp("/subscriptions?card=update", { rows, config });
    await press("SIGN IN");
    expect(await screen.findByLabelText("Email")).toBeVisible();
    expect(window.location.pathname + window.location.search).toBe("/signin?card=update");
  });
});
