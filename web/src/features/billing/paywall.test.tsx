import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  memberRows,
  renderApp,
  sessionKey,
  sessionOf,
  type Reply,
  type TestAppOptions,
} from "@/app/testing/test-app.tsx";
import { createFakeStripe, installScript, removeScript } from "@/app/testing/fake-stripe.ts";

const plans = [
  {
    id: "student-access",
    name: "Student Access",
    role: "student",
    amount_pence: 5000,
    currency: "GBP",
    interval: "month",
    price_id: "price_student_access",
    is_active: true,
  },
  {
    id: "mentor-access",
    name: "Mentor Access",
    role: "mentor",
    amount_pence: 10_000,
    currency: "GBP",
    interval: "month",
    price_id: "price_mentor_access",
    is_active: true,
  },
];
const scriptUrl = "http://backend.test/sandbox/stripe/v3/";
const create = "POST /functions/v1/stripe-create-subscription-direct";

let provider: ReturnType<typeof createFakeStripe>;

beforeEach(() => {
  provider = createFakeStripe();
  installScript(() => provider.stripe);
});
afterEach(() => removeScript());

function paywall(answer?: Reply | (() => Promise<Reply>), differs: TestAppOptions = {}) {
  return renderApp("/paywall", {
    session: sessionOf(),
    rows: {
      ...memberRows(),
      stripe_subscriptions: null,
      plans,
      legal_texts: [{ version: 3, body: "Terms", summary: null, published_at: "2026-11-27" }],
    },
    reply: async ({ call }) =>
      call === create ? (typeof answer === "function" ? answer() : answer) : undefined,
    config: { stripePublishableKey: "pk_test_1", stripeScriptUrl: scriptUrl },
    ...differs,
  });
}

const payButton = () => screen.findByRole("button", { name: /^PAY £/ });

async function payWithCard(answer?: Reply | (() => Promise<Reply>), differs?: TestAppOptions) {
  const view = paywall(answer, differs);
  const button = await payButton();
  await waitFor(() => expect(provider.options).toHaveLength(1));
  provider.change({ complete: true });
  await userEvent.click(button);
  return view;
}

const cardGroup = () => screen.getByRole("group", { name: "Card details" });
const alertText = async (text: string) =>
  waitFor(() =>
    expect(screen.getAllByRole("alert").some((each) => each.textContent.includes(text))).toBe(true),
  );

describe("/paywall", () => {
  it("offers both plans and shows the chosen amount beside PAY", async () => {
    paywall();
    expect(await screen.findByRole("heading", { name: "Choose Your Plan" })).toBeVisible();
    const student = await screen.findByRole("radio", { name: /Student Access/ });
    expect(student).toBeChecked();
    const form = (await payButton()).closest("form") as HTMLElement;
    expect(within(form).getByText("£50")).toBeVisible();
    await userEvent.click(screen.getByRole("radio", { name: /Mentor Access/ }));
    expect(within(form).getByText("£100")).toBeVisible();
    expect(await payButton()).toHaveAccessibleName("PAY £100");
  });

  it("leads back to /auth without the account, which /auth would lead here again", async () => {
    paywall();
    const back = await screen.findByRole("link", { name: "Sign out and go back" });
    expect(back).toHaveAttribute("href", "/auth");
    await userEvent.click(back);
    expect(await screen.findByRole("button", { name: "SIGN UP" })).toBeVisible();
    expect(window.location.pathname).toBe("/auth");
  });

  it("hides the postal code", async () => {
    paywall();
    await waitFor(() => expect(provider.options).toHaveLength(1));
    expect(provider.options[0]).toMatchObject({ hidePostalCode: true });
  });

  it("shows a skeleton while the subscription is checked", async () => {
    let settle = (_reply: undefined) => {};
    const checked = new Promise<undefined>((resolve) => {
      settle = resolve;
    });
    paywall(undefined, {
      reply: ({ call }) => (call.endsWith("/stripe_subscriptions") ? checked : undefined),
    });
    expect(await screen.findByText("Checking your subscription")).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: /^PAY £/ })).not.toBeInTheDocument();
    settle(undefined);
    expect(await payButton()).toBeVisible();
  });

  it("offers the plans while it asks again, and leads on when a late subscription is found", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 20 });
    let asked = 0;
    const { unmount } = paywall(undefined, {
      rows: { ...memberRows(), plans },
      reply: ({ call }) => {
        if (!call.endsWith("/stripe_subscriptions")) return undefined;
        asked += 1;
        return asked < 3 ? { body: [] } : undefined;
      },
    });
    expect(await payButton()).toBeEnabled();
    expect(asked).toBe(1);
    await act(() => vi.advanceTimersByTimeAsync(5000));
    await waitFor(() => expect(window.location.pathname).toBe("/studentdash"));
    expect(asked).toBe(3);
    unmount();
    vi.useRealTimers();
  });

  it("keeps a payment on its way to /success when the membership is found meanwhile", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 20 });
    let answered = (_reply: Reply) => {};
    let paid = false;
    const { unmount } = paywall(undefined, {
      rows: { ...memberRows(), plans },
      reply: ({ call }) => {
        if (call === create) return new Promise<Reply>((resolve) => (answered = resolve));
        return call.endsWith("/stripe_subscriptions") && !paid ? { body: [] } : undefined;
      },
    });
    const button = await payButton();
    await waitFor(() => expect(provider.options).toHaveLength(1));
    provider.change({ complete: true });
    act(() => button.click());
    paid = true;
    await act(() => vi.advanceTimersByTimeAsync(5000));
    expect(window.location.pathname).toBe("/paywall");
    answered({ body: { success: true } });
    expect(await screen.findByText(/Payment successful!/)).toBeVisible();
    await waitFor(() => expect(window.location.pathname).toBe("/success"));
    unmount();
    vi.useRealTimers();
  });

  it("redirects a member who has already paid", async () => {
    paywall(undefined, { rows: { ...memberRows(), plans } });
    await waitFor(() => expect(window.location.pathname).toBe("/studentdash"));
  });

  it("sends the chosen price and the provider's payment method", async () => {
    const view = paywall({ body: { success: true } });
    await userEvent.click(await screen.findByRole("radio", { name: /Mentor Access/ }));
    await waitFor(() => expect(provider.options).toHaveLength(1));
    provider.change({ complete: true });
    await waitFor(() =>
      expect(view.calls().some((call) => call.startsWith("GET /rest/v1/legal_texts"))).toBe(true),
    );
    await userEvent.click(await payButton());
    expect(
      await screen.findByText("Payment successful! Redirecting to ONBAORDING..."),
    ).toBeVisible();
    expect(view.seen.find(({ call }) => call === create)?.body).toEqual({
      price_id: "price_mentor_access",
      payment_method_id: "pm_test",
      terms_version: 3,
    });
    expect(screen.getByRole("radio", { name: /Student Access/ })).toBeDisabled();
    await waitFor(() => expect(window.location.pathname).toBe("/success"));
  });

  it("charges once however often PAY is pressed", async () => {
    let answered = (_reply: Reply) => {};
    const view = paywall(
      () =>
        new Promise<Reply>((resolve) => {
          answered = resolve;
        }),
    );
    const button = await payButton();
    await waitFor(() => expect(provider.options).toHaveLength(1));
    provider.change({ complete: true });
    act(() => {
      button.click();
      button.click();
      button.click();
    });
    await waitFor(() => expect(view.calls()).toContain(create));
    act(() => button.click());
    answered({ body: { success: true } });
    expect(await screen.findByText(/Payment successful!/)).toBeVisible();
    expect(view.calls().filter((call) => call === create)).toHaveLength(1);
    expect(provider.createPaymentMethod).toHaveBeenCalledTimes(1);
  });
});

describe("payment problems", () => {
  it("requires a complete card", async () => {
    const view = paywall();
    const button = await payButton();
    await waitFor(() => expect(provider.options).toHaveLength(1));
    await userEvent.click(button);
    expect(await within(cardGroup()).findByText(/^Please complete your card/)).toBeVisible();
    expect(view.calls()).not.toContain(create);
  });

  it("shows the provider's errors under the card while typing", async () => {
    paywall();
    await waitFor(() => expect(provider.options).toHaveLength(1));
    provider.change({ complete: false, error: { message: "Your card number is invalid." } });
    expect(within(cardGroup()).getByText("Your card number is invalid.")).toBeVisible();
    provider.change({ complete: false });
    expect(screen.queryByText("Your card number is invalid.")).not.toBeInTheDocument();
  });

  it("shows under the card why it was declined", async () => {
    provider.createPaymentMethod.mockResolvedValue({
      error: { message: "Your card has expired." },
    });
    await payWithCard();
    expect(await within(cardGroup()).findByText("Your card has expired.")).toBeVisible();
  });

  it("reports a missing session", async () => {
    const view = paywall();
    const button = await payButton();
    await waitFor(() => expect(provider.options).toHaveLength(1));
    provider.change({ complete: true });
    localStorage.removeItem(sessionKey);
    await userEvent.click(button);
    await alertText("No active session. Please sign in again.");
    expect(view.calls()).not.toContain(create);
  });

  it("leads to sign-in when the server no longer knows the session", async () => {
    await payWithCard({ status: 401, body: { error: "Invalid JWT" } });
    await alertText("Please sign in to continue with payment.");
    await userEvent.click(screen.getByRole("button", { name: "Sign In" }));
    await waitFor(() => expect(window.location.pathname).toBe("/signin"));
  });

  it.each<[string, Reply]>([
    ["Your card was declined.", { status: 402, body: { error: "Your card was declined." } }],
    ["Your card was declined.", { body: { success: false, error: "Your card was declined." } }],
    ["Failed to create subscription", { status: 500, body: {} }],
    ["Subscription creation failed", { body: { success: false } }],
  ])("says %s", async (text, reply) => {
    await payWithCard(reply);
    await alertText(text);
    expect(await payButton()).toBeEnabled();
  });

  it("reports a failed connection", async () => {
    await payWithCard(() => Promise.reject(new TypeError("Failed to fetch")));
    await alertText("Payment failed. Please try again.");
  });

  it("confirms with the bank when required, and shows its refusal", async () => {
    provider.confirmCardPayment.mockResolvedValueOnce({
      error: { message: "We are unable to authenticate your payment method." },
    });
    await payWithCard({ body: { success: true, requires_action: true, client_secret: "pi_s" } });
    expect(
      await within(cardGroup()).findByText("We are unable to authenticate your payment method."),
    ).toBeVisible();
    await userEvent.click(await payButton());
    expect(await screen.findByText(/Payment successful!/)).toBeVisible();
    expect(provider.confirmCardPayment).toHaveBeenCalledWith("pi_s");
  });

  it("reports a missing card field", async () => {
    provider.keepsCard = false;
    await payWithCard();
    await alertText("Card element not found. Please refresh the page.");
  });
});

describe("the card library", () => {
  const scriptTag = () => document.querySelector<HTMLScriptElement>("script[data-card-script]");
  const beforeTheScript = () => removeScript();

  it("loads from the configured address, and is not ready before", async () => {
    beforeTheScript();
    paywall();
    const button = await payButton();
    await waitFor(() => expect(scriptTag()?.src).toBe(scriptUrl));
    await userEvent.click(button);
    await alertText("Payment system not ready. Please refresh the page.");
    installScript(() => provider.stripe);
    act(() => void scriptTag()?.dispatchEvent(new Event("load")));
    await waitFor(() => expect(provider.options).toHaveLength(1));
    expect(screen.queryByText(/not ready/)).not.toBeInTheDocument();
  });

  it("can be retried after a failed load", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    beforeTheScript();
    paywall();
    await waitFor(() => expect(scriptTag()).not.toBeNull());
    act(() => void scriptTag()?.dispatchEvent(new Event("error")));
    await alertText("Payment System Error");
    expect(
      screen.getByText(
        "Failed to load the payment library. Please check your publishable key and try again.",
      ),
    ).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Retry" }));
    installScript(() => provider.stripe);
    await waitFor(() => expect(scriptTag()).not.toBeNull());
    act(() => void scriptTag()?.dispatchEvent(new Event("load")));
    expect(await payButton()).toBeVisible();
  });

  it("needs a publishable key", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    paywall(undefined, { config: { stripePublishableKey: null, stripeScriptUrl: scriptUrl } });
    await alertText("Please check your publishable key and try again.");
  });

  it("may load without providing the library", async () => {
    installScript(() => null);
    paywall();
    await alertText("Payment library not available");
    expect(
      screen.getByText("It failed to initialize. Please refresh the page and try again."),
    ).toBeVisible();
  });
});
