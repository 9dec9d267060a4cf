import { pluralise } from "@/lib/format-count.ts";

export const failedPaymentsStrings = {
  title: "Failed payments",
  count: "owed",
  loading: "Loading the failed payments",
  loadFailed: "We couldn't load the failed payments",
  emptyTitle: "Nothing is owed",
  empty: "When a renewal can't be paid, it appears here with what you can do about it.",
  attempts: (count: number) => `tried ${pluralise(count, "time")}`,
  next: (day: string) => `next try on ${day}`,
  noNext: "no more tries",
  since: (day: string) => `owed since ${day}`,
  card: (last4: string) => `card ending in ${last4}`,
  retry: "Retry now",
  retryOf: (member: string) => `Retry now: ${member}'s payment`,
  send: "Send link",
  sendOf: (member: string) => `Send link to ${member}`,
  copy: "Copy link",
  copyOf: (member: string) => `Copy link for ${member}`,
  copied: "The link was copied. It leads to the card form after signing in.",
  sent: "The email with the link is on its way.",
  sentBefore: "The link was sent today already.",
  notSent: "The link wasn't sent. Check your connection and try again.",
  paid: (amount: string, member: string) => `${member} paid ${amount}.`,
  declined: (reason: string) => `Declined: ${reason}`,
  unclear: "We don't know whether it was paid. Refresh before you repeat it.",
} as const;

/** The provider's codes for a refused payment, in words for staff. */
const reasons: Readonly<Record<string, string>> = {
  approve_with_id: "the bank couldn't approve it",
  authentication_required: "the bank wants the member to approve it",
  call_issuer: "the member must call the bank",
  card_declined: "the bank declined the card",
  card_not_supported: "the card doesn't take this kind of payment",
  card_velocity_exceeded: "the card's limit is reached",
  currency_not_supported: "the card doesn't take this currency",
  do_not_honor: "the bank declined without a reason",
  expired_card: "the card has expired",
  fraudulent: "suspected fraud (don't tell the member)",
  generic_decline: "the bank declined without a reason",
  incorrect_cvc: "the security code is wrong",
  incorrect_number: "the card number is wrong",
  insufficient_funds: "not enough money on the card",
  invalid_account: "the card or its account is invalid",
  invoice_payment_intent_requires_action: "the bank wants the member to approve it",
  lost_card: "the card is reported lost (don't tell the member)",
  merchant_blacklist: "on your list of blocked cards (don't tell the member)",
  not_payable: "there is no card to take it from, or it isn't owed any more",
  pickup_card: "the card was withdrawn (don't tell the member)",
  processing_error: "an error at the bank",
  restricted_card: "the card was withdrawn (don't tell the member)",
  stolen_card: "the card is reported stolen (don't tell the member)",
  transaction_not_allowed: "the bank doesn't allow it",
  try_again_later: "the bank asks to try later",
  withdrawal_count_limit_exceeded: "the card's limit is reached",
};

/** A code that is not known here is shown as it is. */
export function declineReason(code: string): string {
  return Object.hasOwn(reasons, code) ? (reasons[code] ?? code) : code.replaceAll("_", " ");
}
