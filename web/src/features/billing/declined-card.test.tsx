import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";
import { createFakeStripe, installScript, removeScript } from "@/app/testing/fake-stripe.ts";
import { planRows, subscriptionRow } from "./testing/subscription-rows.ts";

const create = "POST /functions/v1/stripe-create-subscription-direct";

let provider: ReturnType<typeof createFakeStripe>;

beforeEach(() => {
  provider = createFakeStripe();
  installScript(() => provider.stripe);
});
afterEach(() => removeScript());

const payButton = () => screen.findByRole("button", { name: /^PAY £/ });

async function payWithCard(
  answer: Reply | (() => Promise<Reply>),
  subscriptions: () => readonly object[] = () => [],
  plans: () => readonly object[] = () => planRows,
  choose: () => Promise<HTMLElement> = payButton,
) {
  const view = renderApp("/paywall", {
    session: sessionOf(),
    rows: {
      ...memberRows(),
      get plans() {
        return plans();
      },
    },
    reply: ({ call }) => {
      if (call === create) return typeof answer === "function" ? answer() : answer;
      return call.endsWith("/stripe_subscriptions") ? { body: subscriptions() } : undefined;
    },
    config: {
      stripePublishableKey: "pk_test_1",
      stripeScriptUrl: "http://backend.test/sandbox/stripe/v3/",
    },
  });
  await payButton();
  await waitFor(() => expect(provider.options).toHaveLength(1));
  const button = await choose();
  provider.change({ complete: true });
  await userEvent.click(button);
  return view;
}

const alertText = async (text: string) =>
  waitFor(() =>
    expect(screen.getAllByRole("alert").some((each) => each.textContent.includes(text))).toBe(true),
  );

describe("a payment that failed", () => {
  it("because the owner changed the price meanwhile shows the new one", async () => {
    let onSale = planRows;
    const raise = async (): Promise<Reply> => {
      onSale = planRows.map((each) => ({
        ...each,
        amount_pence: each.amount_pence + 1000,
        price_id: `${each.price_id}_new`,
      }));
      const error = "The price has changed. You have not been charged.";
      return Promise.resolve({ status: 409, body: { error, code: "price_changed" } });
    };
    await payWithCard(raise, undefined, () => onSale);
    await alertText("The price has changed");
    expect(await screen.findByRole("button", { name: "PAY £60" })).toBeEnabled();
  });

  it("because yearly plans went off sale meanwhile shows those that are sold", async () => {
    let onSale: object[] = planRows.map((each) => ({
      ...each,
      yearly_price_id: `${each.price_id}_year`,
      yearly_amount_pence: each.amount_pence * 10,
    }));
    const refuse = async (): Promise<Reply> => {
      onSale = planRows;
      const error = "This plan is no longer on sale.";
      return Promise.resolve({ status: 409, body: { error, code: "price_changed" } });
    };
    await payWithCard(
      refuse,
      undefined,
      () => onSale,
      async () => {
        await userEvent.click(screen.getByRole("radio", { name: /^Yearly/ }));
        return await screen.findByRole("button", { name: "PAY £500" });
      },
    );
    await alertText("This plan is no longer on sale");
    expect(await screen.findByRole("button", { name: "PAY £50" })).toBeEnabled();
    expect(screen.getByRole("radio", { name: /Student Access/ })).toBeChecked();
  });

  it("says after a declined card that nothing was charged, and leads back to the card", async () => {
    await payWithCard({ status: 402, body: { error: "Your card was declined." } });
    await alertText("Your card was declined. You haven't been charged.");
    expect(provider.card.focus).toHaveBeenCalledOnce();
  });

  it.each([
    [{ code: "payment_intent_authentication_failure", type: "invalid_request_error" }, true],
    [{ code: "insufficient_funds", type: "card_error" }, true],
    // The payment may have been taken before the answer was lost.
    [{ type: "api_connection_error" }, false],
  ])("after the bank's question, %j, says what is known of a charge", async (error, isKnown) => {
    provider.confirmCardPayment.mockImplementationOnce(() => {
      // The bank's window was closed, and the focus went to what is around the form.
      screen.getByRole("main").focus();
      return Promise.resolve({ error: { ...error, message: "Your bank said no." } });
    });
    await payWithCard({ body: { success: true, requires_action: true, client_secret: "pi_s" } });
    expect(await screen.findByText(/^Your bank said no\./)).toHaveTextContent(
      isKnown ? /^Your bank said no\. You haven't been charged\.$/ : /^Your bank said no\.$/,
    );
    expect(provider.card.focus).toHaveBeenCalledOnce();
  });

  it("leads back to PAY after a failed connection", async () => {
    await payWithCard(() => {
      // As browsers do with a button that waits.
      (document.activeElement as HTMLElement).blur();
      return Promise.reject(new TypeError("Failed to fetch"));
    });
    await alertText("Payment failed. Please try again.");
    expect(await payButton()).toHaveFocus();
    expect(provider.card.focus).not.toHaveBeenCalled();
  });

  it("doesn't say it again above the form when the ended subscription is found", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 20 });
    let isDeclined = false;
    const expired = subscriptionRow({ status: "incomplete_expired" });
    const { unmount, calls } = await payWithCard(
      async () => {
        isDeclined = true;
        return { status: 402, body: { error: "Your card was declined." } };
      },
      () => (isDeclined ? [expired] : []),
    );
    await alertText("Your card was declined.");
    const asked = () => calls().filter((call) => call.endsWith("/stripe_subscriptions")).length;
    const before = asked();
    await act(() => vi.advanceTimersByTimeAsync(5000));
    await waitFor(() => expect(asked()).toBeGreaterThan(before));
    await act(() => vi.advanceTimersByTimeAsync(100));
    expect(screen.queryByText(/first payment didn't go through/)).not.toBeInTheDocument();
    unmount();
    vi.useRealTimers();
  });
});
