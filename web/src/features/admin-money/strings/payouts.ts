export const payoutsViewStrings = {
  title: "Payouts",
  loadFailed: "We couldn't load the payouts",
  emptyTitle: "Nothing owed",
  empty: "Affiliates' commissions appear here once someone they invited makes a first payment.",
  pending: "Pending",
  paidBefore: "Paid before",
  payable: "Payable",
  export: "Export for the bank",
  /** Columns of the file for the bank. */
  headings: ["Name", "Email", "Amount in pounds"],
  confirm: (amount: string) => `Mark ${amount} as paid`,
  reference: "Reference of the transfer",
  referenceHint: "As your bank shows it. The member reads it.",
  referenceMissing: "Enter the reference of the transfer.",
  transferFirst: (amount: string) =>
    `Transfer exactly ${amount} first. Marking it can't be undone.`,
  beginAt: (least: string) => `Payouts begin at ${least}.`,
} as const;

/** Said when a transfer to an affiliate was recorded. */
export function payoutDone(price: string, member: string): string {
  return `${price} to ${member} is marked as paid.`;
}
