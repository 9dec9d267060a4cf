/** What the database calls the membership of an account, as the console's list and its overview say it. */
export const membershipNames = {
  paying: "Paying",
  complimentary: "Complimentary",
  past_due: "Past due",
  paused: "Paused",
  lapsed: "Lapsed",
  never_paid: "Never paid",
} as const;
