/** Memberships without payment, in the list and one by one. */
export const grantsViewStrings = {
  title: "Complimentary memberships",
  loadFailed: "We couldn't load the memberships",
  emptyTitle: "No complimentary memberships",
  empty: "Give someone a plan without payment. It counts neither as paying nor as revenue.",
  give: "Give a membership",
  endedOn: (date: string) => `Ended ${date}`,
  noEndDate: "No end date",
  state: (isRunning: boolean) => (isRunning ? "Running" : "Ended"),
  given: "Given",
  revoke: "Revoke",
  revokeConfirm: "Revoke membership",
  revokeNote: (member: string) =>
    `${member} loses access at once, unless they pay for a plan as well.`,
  revoked: (member: string) => `${member}'s complimentary membership has ended.`,
} as const;

export const grantFormStrings = {
  emailHint: "The account has to exist.",
  emailMissing: "Enter the member's email address.",
  lastDay: "Last day",
  lastDayHint: "Empty for no end date.",
  lastDayWrong: "Choose a day in the future.",
  confirm: "Give membership",
  given: (email: string, plan: string) => `${email} has ${plan} now.`,
} as const;
