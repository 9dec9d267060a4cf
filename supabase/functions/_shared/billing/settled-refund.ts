import type Stripe from "stripe";

/** How a refund that was asked for in the console ended. */
export interface SettledRefund {
  request: string;
  payment: string;
  /** Null when the provider has none. */
  refund: string | null;
  outcome: "made" | "failed" | "refused";
  detail: string | null;
}

/** A refund that is still with the bank counts as made. */
export function outcomeOf({ status }: Stripe.Refund): "made" | "failed" {
  return status === "failed" || status === "canceled" ? "failed" : "made";
}
