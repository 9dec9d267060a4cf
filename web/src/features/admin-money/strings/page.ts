export const moneyPageStrings = {
  title: "Money",
  intro: "Payments, refunds and disputes, codes, and memberships you give away.",
  factorTitle: "Money needs a second factor",
  factorPurpose: "see or move money",
  show: "Show",
  views: {
    payments: "Payments",
    failed: "Failed payments",
    months: "By month",
    refunds: "Refunds",
    disputes: "Disputes",
    events: "Failed events",
    codes: "Codes",
    payouts: "Payouts",
    guarantee: "Guarantee claims",
    complimentary: "Complimentary memberships",
  },
} as const;

export const moneyFigureStrings = {
  taken: "Taken this month",
  net: "After refunds and VAT",
  vat: (amount: string) => `${amount} VAT`,
  refunded: "Refunded this month",
  disputes: "Open disputes",
  events: "Failed events",
  complimentary: "Complimentary",
  complimentaryNote: "Not counted as paying",
} as const;
