/** Names of columns and details that several views of the money page show. */
export const moneyFields = {
  member: "Member",
  email: "Email",
  state: "State",
  amount: "Amount",
  paid: "Paid",
  refunded: "Refunded",
  reason: "Reason",
  invoice: "Invoice",
  payment: "Payment",
  plan: "Plan",
  until: "Until",
  /** Stands where the name of a member was. */
  deletedAccount: "Deleted account",
} as const;
