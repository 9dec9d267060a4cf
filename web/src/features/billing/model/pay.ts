import type { Refusal } from "@/lib/refusal.ts";
import type { CreateSubscriptionResult } from "../api/create-subscription.ts";

/** What the card provider's script said about one step; `message` is empty when it said nothing. */
export type PaymentMethodResult =
  | { readonly ok: true; readonly paymentMethodId: string }
  | { readonly ok: false; readonly message: string };

/** What the card provider's script says of a payment that its bank was asked about. */
export interface BankError {
  readonly type?: string;
  readonly code?: string;
  readonly message?: string;
}

/** Why a payment was not approved; `message` is empty when nothing was said. */
export interface BankRefusal {
  readonly message: string;
  /** False when the answer may have been lost after the payment was taken. */
  readonly isDeclined: boolean;
}

/** Null when there was no error. */
export function bankRefusalOf(error: BankError | undefined): BankRefusal | null {
  if (error === undefined) return null;
  const isDeclined =
    error.type === "card_error" || error.code?.endsWith("_intent_authentication_failure") === true;
  return { message: error.message ?? "", isDeclined };
}

/** The outside world of a payment, so that the order of its steps can be tested by itself. */
export interface PaymentSteps {
  readonly hasSession: () => Promise<boolean>;
  readonly createPaymentMethod: () => Promise<PaymentMethodResult>;
  readonly createSubscription: (paymentMethodId: string) => Promise<CreateSubscriptionResult>;
  /** Shows the bank's question. Null when it was answered well. */
  readonly confirmCardPayment: (clientSecret: string) => Promise<BankRefusal | null>;
  /** As `confirmCardPayment`, for a card that pays later. Absent where something is always paid at once. */
  readonly confirmCardSetup?: (clientSecret: string) => Promise<BankRefusal | null>;
}

export type PaymentRefusalCode = "noSession" | "notCreated" | "createFailed" | "paymentFailed";

/** Why nothing was paid. A card's problem belongs under the card field. */
export type PaymentProblem = {
  readonly kind: "card-problem" | "problem";
  /** The card was declined, and nothing was charged. */
  readonly isDeclined?: true;
} & Refusal<PaymentRefusalCode>;

export type PaymentOutcome =
  { readonly kind: "paid" } | PaymentProblem | { readonly kind: "signed-out" };

/** Takes one payment from the card to the subscription. Never throws. */
export async function pay(steps: PaymentSteps): Promise<PaymentOutcome> {
  try {
    if (!(await steps.hasSession())) return { kind: "problem", code: "noSession" };
    const card = await steps.createPaymentMethod();
    if (!card.ok) return cardProblem(card.message);
    let created = await steps.createSubscription(card.paymentMethodId);
    if (created.kind === "needs-approval" && steps.confirmCardSetup) {
      const refusal = await steps.confirmCardSetup(created.clientSecret);
      if (refusal !== null) return notApproved(refusal);
      created = await steps.createSubscription(card.paymentMethodId);
    }
    switch (created.kind) {
      case "paid":
        return { kind: "paid" };
      case "needs-authentication": {
        const refusal = await steps.confirmCardPayment(created.clientSecret);
        return refusal === null ? { kind: "paid" } : notApproved(refusal);
      }
      case "needs-approval":
        return { kind: "problem", code: "notCreated" };
      case "no-response":
        return { kind: "problem", code: "paymentFailed" };
      case "refused":
        return refused(created.status, created.message);
    }
  } catch {
    return { kind: "problem", code: "paymentFailed" };
  }
}

function cardProblem(message: string): PaymentProblem {
  return message === ""
    ? { kind: "card-problem", code: "paymentFailed" }
    : { kind: "card-problem", message };
}

function notApproved({ message, isDeclined }: BankRefusal): PaymentOutcome {
  const problem = cardProblem(message);
  return isDeclined ? { ...problem, isDeclined } : problem;
}

function refused(status: number, message: string): PaymentOutcome {
  if (status === 401) return { kind: "signed-out" };
  // A declined card ends the purchase, so nothing can be taken for it any more.
  if (status === 402 && message !== "") {
    return { kind: "problem", message, isDeclined: true };
  }
  if (message !== "") return { kind: "problem", message };
  // The server answered well-formed but without success, or it did not answer well at all.
  return { kind: "problem", code: status === 200 ? "notCreated" : "createFailed" };
}
