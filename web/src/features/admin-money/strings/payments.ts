/** The states a payment can be in. */
export const paymentStateNames = {
  paid: "Paid",
  partlyRefunded: "Partly refunded",
  refunded: "Refunded",
  disputed: "Disputed",
  disputeLost: "Dispute lost",
} as const;

/** What an invoice was for. */
export const invoiceReasons: Readonly<Record<string, string>> = {
  subscription_create: "First payment",
  subscription_cycle: "Renewal",
  subscription_update: "Change of plan",
};

export const paymentsViewStrings = {
  title: "Payments",
  search: "Search payments",
  searchHint: "Name, email or invoice number",
  anyState: "All",
  moreFilters: "More filters",
  loadFailed: "We couldn't load the payments",
  noMatchTitle: "No payments match",
  noMatch: "Try another name, state or period.",
  clearFilters: "Clear filters",
  emptyTitle: "No payments yet",
  empty: "Payments appear here when members join and renew.",
} as const;

export const paymentPanelStrings = {
  title: (amount: string) => `${amount} payment`,
  purpose: "For",
  card: "Card",
  refund: "Refund",
  refunds: "Refunds",
  refundOn: (amount: string, date: string) => `${amount} on ${date}`,
  refundFailed: (amount: string) => `A refund of ${amount} failed`,
  refundFailedText: (time: string) =>
    `Asked for ${time}. The bank returned the money, so the member hasn't got it. Refund it again, or agree on another way with them.`,
} as const;

export const exportPaymentsStrings = {
  save: "Export CSV",
  periodMissing: "Choose the first and the last day, then export.",
  failed: "We couldn't export the payments. Try again.",
  /** Columns of the file. */
  headings: [
    "Payment",
    "Paid at (UTC)",
    "Name",
    "Email",
    "Invoice",
    "State",
    "Amount",
    "Refunded",
    "Currency",
    "VAT invoice",
    "VAT rate in per cent",
    "VAT",
    "VAT after refunds",
  ],
} as const;
