/** The provider's statuses of a dispute. */
export const disputeStatusNames = {
  warningNeedsResponse: "The bank asks",
  warningUnderReview: "Enquiry under review",
  warningClosed: "Enquiry closed",
  needsResponse: "Needs evidence",
  underReview: "Under review",
  appealNeedsResponse: "Appeal needs evidence",
  appealUnderReview: "Appeal under review",
  won: "Won",
  lost: "Lost",
} as const;

/** What a dispute means for the member's access. */
export const disputeAccessTexts = {
  deleted: "The account was deleted",
  disputed: "Suspended until the bank decides",
  lost: "Ended, because the dispute was lost",
  refunded: "Ended, because the payment was refunded",
  kept: "Not affected",
  none: "No access for another reason",
} as const;

export const disputesViewStrings = {
  title: "Disputes",
  loadFailed: "We couldn't load the disputes",
  emptyTitle: "No disputes",
  empty: "When a cardholder's bank takes a payment back, it appears here with what to do.",
  evidenceDue: "Evidence due",
  detailTitle: (amount: string) => `${amount} dispute`,
  access: "Access",
  opened: "Opened",
  bankReason: "Bank's reason",
  id: "Dispute",
  sendEvidence: "Send evidence at the provider",
  noDashboard: "Evidence is sent in the payment provider's dashboard. The sandbox has none.",
} as const;
