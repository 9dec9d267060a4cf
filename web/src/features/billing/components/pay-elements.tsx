import { Elements } from "@stripe/react-stripe-js";
import type { Stripe, StripeElementsOptions } from "@stripe/stripe-js";
import { useMemo, useState, type ReactNode } from "react";
import { useBillingRules } from "@/features/legal/index.ts";
import { PayFormContext, type PayForm } from "../pay-form.ts";
import { paymentLook } from "./provider-look.ts";

export interface PayElementsProps {
  /** The provider's library; null while it loads. */
  readonly stripe: Stripe | null;
  /** What the form is for. Only wallets show the amount, in minor units; what is paid is the server's. */
  readonly purpose:
    | {
        readonly kind: "subscription" | "payment";
        readonly amountPence: number;
        readonly currency: string;
      }
    | { readonly kind: "setup"; readonly currency: string };
  /** No wallets: free days need the number of the card itself. */
  readonly cardsOnly?: boolean;
  readonly children: ReactNode;
}

/** The provider's `Elements` around a payment form: the card field, or the Payment Element where the owner turned it on. */
export function PayElements({ stripe, purpose, cardsOnly = false, children }: PayElementsProps) {
  const { data: rules, isPending } = useBillingRules();
  const isPaymentElement = rules?.paymentElement === true;
  const form = useMemo<PayForm>(
    () => ({ kind: isPaymentElement ? "payment" : "card", cardsOnly }),
    [isPaymentElement, cardsOnly],
  );
  const [appearance] = useState(paymentLook);
  const options: StripeElementsOptions = {
    // Of nothing, a card is only saved.
    ...(purpose.kind === "setup" || purpose.amountPence === 0
      ? { mode: "setup" }
      : { mode: purpose.kind, amount: purpose.amountPence }),
    currency: purpose.currency.toLowerCase(),
    allowedPaymentMethodTypes: ["card"],
    paymentMethodCreation: "manual",
    appearance,
    locale: "en-GB",
  };
  return (
    <PayFormContext value={form}>
      {isPaymentElement ? (
        <Elements key="payment" stripe={stripe} options={options}>
          {children}
        </Elements>
      ) : (
        <Elements key="card" stripe={isPending ? null : stripe}>
          {children}
        </Elements>
      )}
    </PayFormContext>
  );
}
