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
  membershipMonths: 6,
  /** On which the membership ran, from which a month counts. */
  membershipDays: 20,
} as const;

const { checkIns, submissions, messages, articles, membershipMonths } = guaranteeTerms;

/** The work the terms ask for, as the landing page, the paywall and the page of the terms say it. */
export const guaranteeWork: readonly string[] = [
  `${checkIns} monthly check-ins`,
  `${submissions} submissions`,
  `${messages} messages in chat rooms`,
  `${articles} articles read`,
  `${membershipMonths} months of membership`,
];

/** `6 check-ins, …, 12 articles read and 6 months of membership`, for the middle of a sentence. */
export const guaranteeWorkSentence = `${guaranteeWork.slice(0, -1).join(", ")} and ${guaranteeWork.at(-1) ?? ""}`;

/** What the terms ask for, by the names under which the database counts it. */
export const guaranteeLineNames = {
  check_ins: "Monthly check-ins",
  submissions: "Submissions",
  messages: "Messages in chat rooms",
  articles: "Articles read",
  membership: "Months of membership",
  income: "Income below the aim",
} as const;

export type GuaranteeLineName = keyof typeof guaranteeLineNames;
