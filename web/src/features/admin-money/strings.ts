/** Said when a refund was made, or is with the bank. */
export function refundDone(price: string, member: string, isPending: boolean): string {
  return isPending
    ? `${price} is on its way to ${member}. The bank has yet to confirm it.`
    : `${price} was refunded to ${member}.`;
}

/** Said when the provider's answer was lost. */
export function refundUnclear(price: string): string {
  return `We don't know whether ${price} was refunded: the payment provider didn't answer. Try again: it's refunded once only.`;
}

/** Said when a transfer to an affiliate was recorded. */
export function payoutDone(price: string, member: string): string {
  return `${price} to ${member} is marked as paid.`;
}
