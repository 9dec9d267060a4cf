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
