import { CardElement, PaymentElement, useElements, useStripe } from "@stripe/react-stripe-js";
import type { Stripe } from "@stripe/stripe-js";
import { createContext, use } from "react";
import type { PaymentMethodResult } from "./model/pay.ts";

/** Which of the provider's forms stands on the page. */
export interface PayForm {
  readonly kind: "card" | "payment";
  readonly cardsOnly: boolean;
}

export const PayFormContext = createContext<PayForm>({ kind: "card", cardsOnly: false });

/** What was entered in the provider's form. */
export interface CardEntry {
  /** The library; null while it loads. */
  readonly stripe: Stripe | null;
  readonly isMounted: () => boolean;
  readonly focus: () => void;
  /** The Payment Element marks what is missing by itself. */
  readonly showMissing: () => void;
  /**
   * Begins to take what was entered. A wallet opens its window only in the event of the press itself, so this is called
   * before anything is waited for.
   */
  readonly begin: () => () => Promise<PaymentMethodResult>;
}

/** Must be used inside of `PayElements`. */
export function useCardEntry(): CardEntry {
  const stripe = useStripe();
  const elements = useElements();
  const { kind } = use(PayFormContext);
  const element = () =>
    kind === "card" ? elements?.getElement(CardElement) : elements?.getElement(PaymentElement);

  async function create(submitted: Promise<{ error?: { message?: string } }>) {
    const { error } = await submitted;
    if (error) return { error };
    if (!stripe || !elements) return { error: {} };
    if (kind === "payment") return await stripe.createPaymentMethod({ elements });
    const card = elements.getElement(CardElement);
    return card ? await stripe.createPaymentMethod({ type: "card", card }) : { error: {} };
  }

  return {
    stripe,
    isMounted: () => (element() ?? null) !== null,
    // The provider's Payment Element takes the focus, too, but its types don't say so.
    focus: () => (element() as { readonly focus?: () => void } | null | undefined)?.focus?.(),
    showMissing: () => {
      if (kind === "payment") void elements?.submit();
    },
    begin: () => {
      const submitted =
        kind === "payment" && elements ? elements.submit() : Promise.resolve<object>({});
      // The session is looked at first; a failure of the form is not lost meanwhile.
      submitted.catch(() => undefined);
      return async () => {
        const answer = await create(submitted);
        return answer.error || !answer.paymentMethod
          ? { ok: false, message: answer.error?.message ?? "" }
          : { ok: true, paymentMethodId: answer.paymentMethod.id };
      };
    },
  };
}
