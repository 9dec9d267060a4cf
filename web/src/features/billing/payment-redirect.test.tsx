import { Elements } from "@stripe/react-stripe-js";
import type { Stripe } from "@stripe/stripe-js";
import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { renderPage, sessionOf } from "@/app/testing/test-app.tsx";
import { createFakeStripe } from "@/app/testing/fake-stripe.ts";
import { PaymentForm } from "./components/payment-form.tsx";
import type { Plan } from "./model/plan.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function pass(milliseconds: number): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(milliseconds));
}

const plan: Plan = {
  id: "student-access",
  name: "Student Access",
  role: "student",
  amountPence: 5000,
  currency: "GBP",
  interval: "month",
  priceId: "price_student_access",
};
const nothing = () => {};

async function openForm() {
  const provider = createFakeStripe();
  renderPage(
    <Elements stripe={provider.stripe as Stripe}>
      <PaymentForm plan={plan} offer={null} onBusy={nothing} onSignedOut={nothing} />
    </Elements>,
    { session: sessionOf(), reply: () => ({ body: { success: true } }) },
  );
  await pass(0);
  return provider;
}

const pay = () => fireEvent.click(screen.getByRole("button", { name: /^PAY £/ }));
const paid = () => screen.queryByText("Payment successful! Redirecting to ONBAORDING...");

async function untilPaid(): Promise<void> {
  for (let turn = 0; turn < 100 && paid() === null; turn += 1) await pass(0);
}

it("redirects to /success 1500 ms after the payment", async () => {
  const provider = await openForm();
  provider.change({ complete: true });
  pay();
  await untilPaid();
  expect(paid()).toBeVisible();
  await pass(1499);
  expect(screen.queryByText(/Now at/)).not.toBeInTheDocument();
  await pass(1);
  expect(screen.getByText("Now at /success")).toBeVisible();
});

it("takes a card of which the provider says only after the press that it is complete", async () => {
  const provider = await openForm();
  pay();
  await pass(299);
  provider.change({ complete: true });
  await untilPaid();
  expect(paid()).toBeVisible();
});

it("asks for a complete card 300 ms after the press", async () => {
  await openForm();
  pay();
  await pass(299);
  expect(screen.queryByText("Please complete your card information.")).not.toBeInTheDocument();
  await pass(1);
  expect(screen.getByText("Please complete your card information.")).toBeVisible();
});
