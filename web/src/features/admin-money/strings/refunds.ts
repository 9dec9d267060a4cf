/** The provider's statuses of a refund. */
export const refundStatusNames = {
  succeeded: "Refunded",
  withBank: "With the bank",
  failed: "Failed: the money came back",
  cancelled: "Cancelled: the money came back",
} as const;

/** Said when a refund was made, or is with the bank, once nothing of it is on the screen. */
export function refundDone(price: string, member: string, isPending: boolean): string {
  return isPending
    ? `${price} is on its way to ${member}. The bank has yet to confirm it.`
    : `${price} was refunded to ${member}. ${refundMadeStrings.arrives}`;
}

/** The same in the payment that was refunded. */
export const refundMadeStrings = {
  refunded: (price: string, day: string) => `Refunded ${price} on ${day}`,
  requested: (price: string, day: string) => `Refund of ${price} asked for on ${day}`,
  withBank: "The bank has yet to confirm it.",
  /** As Stripe says. */
  arrives: "It usually arrives within 5 to 10 working days.",
} as const;

/** Said when the provider's answer was lost. */
export function refundUnclear(price: string): string {
  return `We don't know whether ${price} was refunded: the payment provider didn't answer. Try again: it's refunded once only.`;
}

export const refundFormStrings = {
  /** For the audit log. Stripe hears of a request each time: “fraudulent” would also block the card and address there. */
  reasons: ["Requested by the member", "Paid twice", "Fraudulent payment"],
  amount: "Amount in pounds",
  amountHint: (most: string) => `Up to ${most}.`,
  amountWrong: (least: string, most: string) => `Enter an amount from ${least} to ${most}.`,
  confirm: "Refund",
  confirmAmount: (amount: string) => `Refund ${amount}`,
  whole: "This refunds the whole payment.",
  rest: "This refunds the rest of the payment.",
  part: "This refunds part of the payment. Whatever it paid for stays as it is.",
  endsUnknown: "If it pays for the current period, the membership ends at once.",
  endsMembership: (member: string, date: string) =>
    `${member}'s membership, paid until ${date}, ends at once.`,
  endsPlan: (member: string, plan: string) => `${member} goes back to ${plan} at once.`,
  endsCourse: (member: string, title: string) => `${member} loses “${title}” at once.`,
  endsCode: (gift: string) => `“${gift}”: the code stops working at once.`,
  endsGift: (gift: string, date: string) =>
    `“${gift}”: the membership it gave until ${date} ends at once.`,
  endsNothing: "It pays for nothing that is still running, so nothing ends.",
} as const;

export const unfinishedRefundStrings = {
  title: (amount: string) => `A refund of ${amount} is not finished`,
  finish: "Finish this refund",
  request: (time: string, member: string, reason: string) =>
    `Asked for ${time} for ${member}: ${reason}`,
  explanation:
    "We don't know whether the payment provider has made it. We look it up every five minutes, and it settles automatically within half an hour. Finishing it now refunds once only.",
} as const;

export const refundsViewStrings = {
  title: "Refunds",
  loadFailed: "We couldn't load the refunds",
  emptyTitle: "No refunds yet",
  empty: "Open a payment to refund all or part of it.",
  detailTitle: (amount: string) => `${amount} refund`,
  id: "Refund",
} as const;
