import { refusalText } from "@/lib/refusal.ts";
import type { PaymentProblem, PaymentRefusalCode } from "../model/pay.ts";

/** Interface texts of checkout and subscriptions that tests and the specification quote. */
export const billingStrings = {
  cardIncomplete: "Please complete your card information.",
  noSession: "No active session. Please sign in again.",
  signInFirst: "Please sign in to continue with payment.",
  createFailed: "Failed to create subscription",
  notCreated: "Subscription creation failed",
  paymentFailed: "Payment failed. Please try again.",
  /** After the provider's own sentence about a declined card. */
  notCharged: "You haven't been charged.",
  notReady: "Payment system not ready. Please refresh the page.",
  cardMissing: "Card element not found. Please refresh the page.",
  systemError: "Payment System Error",
  libraryFailed:
    "Failed to load the payment library. Please check your publishable key and try again.",
  libraryMissing: "Payment library not available",
  libraryMissingHint: "It failed to initialize. Please refresh the page and try again.",
  // The misspelling is part of the product's specification; do not correct it.
  paid: "Payment successful! Redirecting to ONBAORDING...",
  cancelNoSession: "No active session",
  cancelFailed: "Failed to cancel subscription",
  uncancelFailed: "Failed to uncancel subscription",
  canceled: "Subscription will be canceled at the end of your current billing period",
  endedWhilePaused: "Your membership has ended. Nothing was charged.",
  uncanceled: "Subscription has been reactivated and will continue to renew",
  codeFailed: "We couldn't check the code. Please try again.",
  planPreviewFailed: "We couldn't work out the price. Please try again.",
  planChangeFailed: "We couldn't change your plan. Please try again.",
  planSwitchUnclear: "We don't know yet if your switch went through",
  planSwitchUnclearHint:
    "The server's answer didn't reach us. Check again, or repeat the switch: you won't be charged twice.",
  planUndoFailed: "We couldn't undo the switch. Please try again.",
  cardUpdateFailed: "We couldn't update your card. Please try again.",
  cardUpdated: "Your new card is saved. We'll use it from the next payment.",
  cardUpdatedAndPaid: "Your new card is saved and the outstanding payment has gone through.",
} as const;

/** Why nothing was paid, and after a declined card that nothing was charged. */
export function paymentRefusalText(
  problem: PaymentProblem,
  texts: Readonly<Record<PaymentRefusalCode, string>>,
): string {
  const said = refusalText(problem, texts);
  return problem.isDeclined === true ? `${said} ${billingStrings.notCharged}` : said;
}

/** The card field, and replacing the card. */
export const cardStrings = {
  details: "Card details",
  howToPay: "How you pay",
  formFailed: "The payment form didn't load. Reload this page to try again.",
  card: "Card",
  noCard: "None on file",
  retry: "Retry",
  update: "Update Card",
  updateTitle: "Update your card",
  paysOverdue: "We'll take the outstanding payment from this card as soon as you save it.",
  paysAfterTrial: "Nothing is charged now. We use this card when your trial ends.",
  paysNext: "Nothing is charged now. We use this card from the next payment.",
  save: "Save Card",
  keepOld: "Keep the Old Card",
} as const;
