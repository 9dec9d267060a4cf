import { pluralise } from "@/lib/format-count.ts";

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

/** Said when an act was refused without a reason that is written for administrators. */
export const notDone = "That wasn't done. Load the page again, then try again.";

/** Said when the answer to an act was lost. */
export const actUnclear =
  "We don't know whether that was done: no answer came. Check your connection, then load the page again and look before you repeat it.";

/** Said when a transfer to an affiliate was recorded. */
export function payoutDone(price: string, member: string): string {
  return `${price} to ${member} is marked as paid.`;
}

/** Said of a granted claim while the renewal or refunds are left. */
export function leftToSettle(payments: number, renews: boolean): string {
  const parts = [
    renews ? "the renewal isn't stopped" : "",
    payments > 0
      ? `${pluralise(payments, "payment")} ${payments === 1 ? "isn't" : "aren't"} refunded`
      : "",
  ].filter(Boolean);
  return `The claim is granted, but ${parts.join(" and ")} yet. We try again by ourselves; you can also try now.`;
}

/** Said while a granted claim is settled. */
export const settling = "Granted. Stopping the renewal and refunding every payment…";

/** Said when a granted claim is settled. */
export function claimSettled(member: string): string {
  return `Claim granted. Every payment of ${member} was refunded.`;
}

/** Said when a claim was granted and the answer about its refunds was lost. */
export const settlementUnclear =
  "The claim is granted. We don't know whether every payment was refunded yet: each is refunded once only.";
