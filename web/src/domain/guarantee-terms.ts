/**
 * The terms of the guarantee as visitors read them. The database decides by its own row of
 * `guarantee_terms`; `tests/sql/guarantee.test.ts` holds the two together.
 */
export const guaranteeTerms = {
  months: 6,
  incomeMultiple: 10,
  leastBasePence: 10_000,
  baselineDays: 7,
  claimDays: 30,
  checkIns: 6,
  submissions: 12,
  messages: 150,
  articles: 12,
} as const;

/** What the terms ask for, by the names under which the database counts it. */
export const guaranteeLineNames = {
  check_ins: "Monthly check-ins",
  submissions: "Submissions",
  messages: "Messages in chat rooms",
  articles: "Articles read",
  income: "Income below the aim",
} as const;

export type GuaranteeLineName = keyof typeof guaranteeLineNames;
