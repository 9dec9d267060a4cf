import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { memberRows, renderApp, sessionOf, type TestAppOptions } from "@/app/testing/test-app.tsx";
import { createFakeStripe, installScript, removeScript } from "@/app/testing/fake-stripe.ts";

const create = "POST /functions/v1/stripe-create-subscription-direct";
const rules = {
  withdrawal_refund: "full",
  renewal_reminder_days: 0,
  payment_grace_days: 0,
  payment_element: true,
};
const plan = {
  id: "student-access",
  name: "Student Access",
  role: "student",
  amount_pence: 5000,
  currency: "GBP",
  interval: "month",
  price_id: "price_student_access",
  is_active: true,
};
const trial = {
  code: "FREE14",
  trial_days: 14,
  currency: "gbp",
  due_now: 0,
  while_it_lasts: 5000,
  months: null,
  afterwards: 5000,
};

let provider: ReturnType<typeof createFakeStripe>;

beforeEach(() => {
  provider = createFakeStripe();
  installScript(() => provider.stripe);
});
afterEach(() => removeScript());

function paywall(differs: TestAppOptions = {}) {
  return renderApp("/paywall", {
    session: sessionOf(),
    rows: {
      ...memberRows(),
      stripe_subscriptions: null,
      plans: [plan],
      billing_rules: [rules],
      legal_texts: [{ version: 3, body: "Terms", summary: null, published_at: "2026-11-27" }],
    },
    reply: ({ call }) => {
      if (call.endsWith("/stripe-preview-code")) return { status: 200, body: trial };
      return call === create ? { status: 200, body: { success: true } } : undefined;
    },
    config: { stripePublishableKey: "pk_test_1", stripeScriptUrl: null },
    ...differs,
  });
}

const payButton = () => screen.findByRole("button", { name: /^PAY / });

async function opened(differs?: TestAppOptions) {
  const view = paywall(differs);
  await waitFor(() => expect(provider.options).toHaveLength(1));
  return view;
}

describe("the paywall with the Payment Element", () => {
  it("announces what is paid, in cards alone, and shows every wallet", async () => {
    await opened();
    expect(provider.groups).toEqual([
      expect.objectContaining({
        mode: "subscription",
        amount: 5000,
        currency: "gbp",
        allowedPaymentMethodTypes: ["card"],
        paymentMethodCreation: "manual",
      }),
    ]);
    expect(provider.options[0]).toMatchObject({
      wallets: { applePay: "auto", googlePay: "auto", link: "auto" },
    });
    expect(screen.getByRole("group", { name: "How you pay" })).toBeVisible();
  });

  it("sends the method that was made of the form, as with the card field", async () => {
    const { seen } = await opened();
    provider.change({ complete: true });
    await userEvent.click(await payButton());
    expect(await screen.findByText(/Payment successful!/)).toBeVisible();
    expect(provider.submit).toHaveBeenCalledOnce();
    expect(provider.createPaymentMethod).toHaveBeenCalledWith({
      elements: expect.anything() as unknown,
    });
    expect(seen.find(({ call }) => call === create)?.body).toMatchObject({
      price_id: "price_student_access",
      payment_method_id: "pm_test",
    });
  });

  it("sends nothing while something is missing, and lets the form mark it", async () => {
    const { seen } = await opened();
    await userEvent.click(await payButton());
    expect(await screen.findByText("Please complete your card information.")).toBeVisible();
    expect(provider.submit).toHaveBeenCalledOnce();
    expect(seen.some(({ call }) => call === create)).toBe(false);
  });

  it("says what a wallet said, and makes no payment method", async () => {
    await opened();
    provider.submit.mockResolvedValueOnce({ error: { message: "You closed the wallet." } });
    provider.change({ complete: true });
    await userEvent.click(await payButton());
    expect(await screen.findByText("You closed the wallet.")).toBeVisible();
    expect(provider.createPaymentMethod).not.toHaveBeenCalled();
  });

  it("opens a wallet in the event of the press, before the session is looked at", async () => {
    await opened();
    provider.change({ complete: true });
    const button = await payButton();
    button.click();
    expect(provider.submit).toHaveBeenCalledOnce();
  });

  it("offers no wallet for free days", async () => {
    await opened();
    await userEvent.click(screen.getByRole("button", { name: "Add a promo code" }));
    await userEvent.type(screen.getByLabelText("Code"), "FREE14");
    await userEvent.click(screen.getByRole("button", { name: "Apply" }));
    expect(await screen.findAllByText(/14 days free/)).toHaveLength(2);
    expect(provider.card.update).toHaveBeenCalledWith(
      expect.objectContaining({
        wallets: { applePay: "never", googlePay: "never", link: "never" },
      }),
    );
  });
});

describe("the paywall without it", () => {
  it("has the card field, without Link's button in it", async () => {
    await opened({
      rows: {
        ...memberRows(),
        stripe_subscriptions: null,
        plans: [plan],
        billing_rules: [{ ...rules, payment_element: false }],
      },
    });
    expect(provider.groups).toEqual([undefined]);
    expect(provider.options[0]).toMatchObject({ hidePostalCode: true, disableLink: true });
    expect(screen.getByRole("group", { name: "Card details" })).toBeVisible();
  });
});

describe("the other two forms with it", () => {
  it("a course is paid at its price, with the method that was made of the form", async () => {
    const buy = "POST /functions/v1/stripe-buy-course";
    const offer = {
      slug: "letters",
      title: "Letters that are answered",
      description: "",
      outcomes: ["Write letters"],
      price_pence: 4900,
      minutes: 40,
      difficulty: "beginner",
      thumbnail_url: null,
      category: "business",
      topic: "sales",
      course_slug: "letters",
      mentor: "Mia",
      refund_days: 14,
      lessons: [],
      free_lesson: null,
    };
    const { seen } = renderApp("/c/letters/buy", {
      session: sessionOf(),
      rows: { ...memberRows({ status: "canceled" }), billing_rules: [rules] },
      reply: ({ call }) => {
        if (call.endsWith("/course-offer")) return { body: { offer } };
        if (call === "POST /rest/v1/rpc/my_courses") return { body: [] };
        return call === buy ? { body: { success: true } } : undefined;
      },
      config: { stripePublishableKey: "pk_test_1", stripeScriptUrl: null },
    });
    await waitFor(() => expect(provider.options).toHaveLength(1));
    expect(provider.groups).toEqual([
      expect.objectContaining({ mode: "payment", amount: 4900, currency: "gbp" }),
    ]);
    provider.change({ complete: true });
    await userEvent.click(screen.getByRole("button", { name: /^Pay £49/i }));
    await waitFor(() =>
      expect(seen.find(({ call }) => call === buy)?.body).toMatchObject({
        amount_pence: 4900,
        payment_method_id: "pm_test",
      }),
    );
  });
});
