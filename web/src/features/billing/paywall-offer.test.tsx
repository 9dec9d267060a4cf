import { screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";
import { createFakeStripe, installScript, removeScript } from "./testing/fake-stripe.ts";

const plan = { amount_pence: 5000, currency: "GBP", interval: "month", is_active: true };
const plans = (["student", "mentor"] as const).map((role) => ({
  ...plan,
  id: `${role}-access`,
  name: role === "student" ? "Student Access" : "Mentor Access",
  role,
  price_id: `price_${role}_access`,
}));

beforeEach(() => {
  const provider = createFakeStripe();
  installScript(() => provider.stripe);
});
afterEach(() => removeScript());

function open() {
  return renderApp("/paywall", {
    session: sessionOf(),
    rows: { ...memberRows(), stripe_customers: null, stripe_subscriptions: null, plans },
    config: {
      stripePublishableKey: "pk_test_1",
      stripeScriptUrl: "http://backend.test/sandbox/stripe/v3/",
    },
  });
}

it("says before anybody pays what the guarantee asks for", async () => {
  open();
  await screen.findByRole("button", { name: "PAY" });
  const terms = screen.getByRole("region", { name: /10x your income within 6 months/ });
  expect(terms).toHaveTextContent("Write down what you earn a month in your first 7 days.");
  for (const asked of ["6 monthly check-ins", "12 submissions", "150 messages", "12 articles"]) {
    expect(terms).toHaveTextContent(asked);
  }
  expect(within(terms).getByRole("link", { name: "Read the terms" })).toHaveAttribute(
    "href",
    "/guarantee",
  );
});
