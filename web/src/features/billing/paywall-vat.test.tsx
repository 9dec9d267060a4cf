import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";
import { createFakeStripe, installScript, removeScript } from "@/app/testing/fake-stripe.ts";

let provider: ReturnType<typeof createFakeStripe>;
beforeEach(() => {
  provider = createFakeStripe();
  installScript(() => provider.stripe);
});
afterEach(() => removeScript());

const create = "POST /functions/v1/stripe-create-subscription-direct";

async function paywall(mode: string, rules: object[] = []) {
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
  const view = renderApp("/paywall", {
    session: sessionOf(),
    rows: {
      ...memberRows(),
      stripe_subscriptions: null,
      plans: [plan],
      legal_texts: [{ version: 3, body: "Terms", summary: null, published_at: "2026-11-27" }],
      billing_rules: rules,
      vat_settings: [{ mode, rate_basis_points: 2000 }],
    },
    reply: ({ call }) =>
      call === create ? { body: { success: true, requires_action: false } } : undefined,
    config: {
      stripePublishableKey: "pk_test_1",
      stripeScriptUrl: "http://backend.test/sandbox/stripe/v3/",
    },
  });
  const pay = await screen.findByRole("button", { name: /^PAY £/ });
  await waitFor(() => expect(provider.options).toHaveLength(1));
  provider.change({ complete: true });
  return { ...view, pay, form: within(pay.closest("form") as HTMLElement) };
}

describe("the price beside PAY", () => {
  it("stays as it is and says that VAT is in it, at which rate if there is one", async () => {
    const { form } = await paywall("fixed");
    expect(form.getByText("£50")).toBeVisible();
    expect(await form.findByText("including 20% VAT")).toBeVisible();
    expect(form.queryByLabelText(/Country/)).not.toBeInTheDocument();
  });

  it("says nothing of VAT while none is charged", async () => {
    const { form } = await paywall("none");
    expect(form.getByText("per month")).toBeVisible();
    expect(form.queryByText(/VAT/)).not.toBeInTheDocument();
  });

  it("asks where the member lives when the rate depends on it, before anything is sent", async () => {
    const { form, pay, seen } = await paywall("stripe_tax");
    expect(await form.findByText("including VAT")).toBeVisible();
    await userEvent.click(pay);
    expect(await form.findByText("Choose your country and enter your postcode.")).toBeVisible();
    expect(seen.filter(({ call }) => call === create)).toEqual([]);
    await userEvent.selectOptions(form.getByLabelText(/Country/), "Ireland");
    await userEvent.type(form.getByLabelText("Postcode"), " D02 X285 ");
    await userEvent.click(pay);
    expect(await screen.findByText(/Payment successful/)).toBeVisible();
    expect(seen.find(({ call }) => call === create)?.body).toMatchObject({
      address: { country: "IE", postal_code: "D02 X285" },
    });
  });
});

describe("beside PAY", () => {
  it("says that used days are not refunded, where that is the rule", async () => {
    const { form } = await paywall("none", [
      { withdrawal_refund: "proportion", renewal_reminder_days: 0 },
    ]);
    expect(await form.findByText(/less the days you have used\./)).toBeVisible();
  });
});
