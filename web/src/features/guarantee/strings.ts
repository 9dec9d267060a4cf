import { brand, formatPence } from "@/domain/brand.ts";
import { guaranteeLineNames, guaranteeTerms, guaranteeWork } from "@/domain/guarantee-terms.ts";
import { retryLaterMessage, toAppError, tryAgain } from "@/lib/errors.ts";
import { formatCount, pluralise } from "@/lib/format-count.ts";
import { unreadableFileText, UnreadableFileError } from "@/lib/reencode-image.ts";
import type { ClaimState } from "./model/guarantee-claim.ts";
import type { GuaranteeLine } from "./model/guarantee-record.ts";

export const guaranteePageStrings = {
  checklist: "What you need to do",
  title: "The guarantee",
  intro: "10x your income within 6 months, or your money back and you continue for free.",
  toProgress: "Go to your progress",
  claims: "Claims so far",
  tooFewClaims:
    "Fewer than five claims have been decided. Once there are five, we'll say how they ended; any sooner, and people could be identified.",
  claimFigures: (decided: number, granted: number) =>
    `${pluralise(decided, "claim")} decided, ${formatCount(granted)} granted. Claims that didn't meet the terms are counted as decided.`,
} as const;

export const guaranteeRecordStrings = {
  title: "Your guarantee",
  intro: "Where you started, what you've done and how much of your six months is left.",
  terms: "Read the terms",
  noneTitle: "Your guarantee starts with your first payment",
  none: "After that, you'll see here what's on record and what's left to do.",
  loadFailed: "We couldn't load your guarantee",
  recordSafe: "Your record is safe.",
  loading: "Loading your guarantee",
  noStart: (until: string) =>
    `You wrote nothing down in the first week, which ended ${until}. Without a starting figure there is nothing to compare with, so the guarantee doesn't apply.`,
  start: (until: string, months: number) =>
    `Write down what you earn a month by ${until}. It's what we'll compare your income with when your ${months} months are over. Without it, the guarantee doesn't apply.`,
  writeNow: "Write it down now",
  onRecord: (income: string) => `On record: you start at ${income} a month.`,
  month: "Month",
  over: "Over",
  monthOf: (month: number, months: number) => `${month} of ${months}`,
  end: (isOver: boolean, day: string) => `${isOver ? "Ended" : "Ends"} ${day}`,
  startedAt: "You started at",
  withDocument: (source: string) => `${source}, with a document`,
  aim: "The aim",
  aimNote: "a month",
  latest: "Latest check-in",
  /** @param month of the latest check-in; undefined while there is none. */
  latestNote: (month: number | undefined) =>
    month === undefined ? "None yet, so where you started" : `Month ${month}`,
  lines: "What is on record",
  lineProgress: (held: number, needed: number, met: boolean) =>
    `${formatCount(held)} of ${formatCount(needed)}${met ? ", met" : ""}`,
  lineValue: (held: number, needed: number) => `${held} of ${needed}`,
  correct: "Correct where you started",
} as const;

export const incomeProblem = "Enter whole pounds, from £0 to £1,000,000.";

/** The form for where the member starts. */
export const baselineFormStrings = {
  name: "Where you start",
  income: "What you earn a month, in pounds",
  incomeHint: "Before tax. Only you see it, and administrators if you claim.",
  source: "Where it comes from",
  sourceHint: "For example: salary, freelance work, my shop.",
  sourceMissing: "Say where the income comes from.",
  document: "A document that shows it (optional)",
  documentHint:
    "Such as a payslip. JPG, PNG or PDF, up to 10 MB. Only you see it, and administrators while your claim is being decided.",
  documentHeldHint: "One is on record. A new one replaces it. JPG, PNG or PDF, up to 10 MB.",
  save: "Save where I start",
  saveCorrection: "Save the correction",
  saved: "Where you start is on record.",
  saveFailed: "It wasn't saved.",
} as const;

export const checkInFormStrings = {
  name: (month: number) => `Check-in for month ${month}`,
  income: "What you earned this month, in pounds",
  incomeHint:
    "Before tax. Only you see it, and administrators if you claim. You can correct it until the month is over.",
  recordedHint: (recorded: string) =>
    `On record: ${recorded}. You can correct it until the month is over.`,
  save: "Check in",
  saveCorrection: "Save the correction",
  saved: (month: number) => `You've checked in for month ${month}.`,
  saveFailed: "It wasn't saved.",
} as const;

export const claimFormStrings = {
  name: "Your claim",
  income: "What you earned in the last month, in pounds",
  incomeHint: "Before tax.",
  statement: "What shows this income",
  statementHint: "For example: my March payslip, my accounts. We may ask to see it.",
  statementMissing: "Say what shows this income.",
  send: "Make the claim",
  sendFailed: "We couldn't send your claim.",
} as const;

export const appealFormStrings = {
  name: "Your appeal",
  appeal: "What was overlooked",
  appealHint: (until: string) => `You can appeal once, by ${until}. Someone else decides.`,
  appealMissing: "Say what was overlooked.",
  send: "Appeal",
  sendFailed: "We couldn't send your appeal.",
} as const;

/** After the months: until when one can claim, and what became of the claim. */
export const claimStrings = {
  loadFailed: "We couldn't load your claim",
  loading: "Loading your claim",
  tooLate: (months: number, ended: string) =>
    `Your ${months} months are over, and so is the time to claim, which ended ${ended}.`,
  open: (months: number, target: string, until: string) =>
    `Your ${months} months are over. If you earn less than ${target} a month and every line above is met, you can claim by ${until}. You can only claim once.`,
  notMet: (line: GuaranteeLine) => `Not met: ${describeLine(line)}`,
  reason: (reason: string) => `Reason: ${reason}`,
} as const;

function describeLine({ line, needed, held }: GuaranteeLine): string {
  const name = guaranteeLineNames[line];
  return line === "income"
    ? `${name} (${formatPence(held)}, and the aim is ${formatPence(needed)})`
    : `${name} (${formatCount(held)} of ${formatCount(needed)})`;
}

interface OutcomeText {
  readonly title: string;
  readonly text: string | null;
}

/** What became of a claim. */
export const claimOutcomes: Readonly<Record<ClaimState, OutcomeText>> = {
  filed: {
    title: "Your claim is waiting for a decision",
    text: "Every line is met. A person will decide, and you'll find the reason here.",
  },
  appealed: {
    title: "Your appeal is waiting for a decision",
    text: "Someone who wasn't involved in the first decision will read it. You'll find the answer here.",
  },
  granted: {
    title: "Your claim was granted",
    text: "We're refunding every payment to the card it came from, and your membership continues without charge.",
  },
  declined: { title: "Your claim was declined", text: null },
  refused: { title: "Your appeal was turned down", text: "This decision is final." },
};

const known: Readonly<Record<string, string>> = {
  FF300: "You're going too fast. Wait a moment and try again.",
  FF671: "Your first week is over.",
  FF675: "The months of your record are over.",
  FF676: "Write something, up to 2,000 characters.",
  FF677: "It's too late to claim.",
  FF678: "You've already made your claim.",
  FF679: "It's too late to appeal, or you've already appealed.",
  FF684: "The document isn't there any more. Choose it again.",
};

/** What went wrong, after a sentence that says what didn't happen. */
export function explainGuaranteeError(error: unknown): string {
  if (error instanceof UnreadableFileError) {
    return unreadableFileText(error, "The document can't be read. Choose another.");
  }
  return known[toAppError(error).code] ?? retryLaterMessage(error) ?? tryAgain;
}

const terms = guaranteeTerms;

/** The same in short: what one does, and by when. */
export const guaranteeChecklist: readonly {
  readonly when: string;
  readonly what: string;
  readonly points: readonly string[];
}[] = [
  {
    when: `First ${terms.baselineDays} days`,
    what: "Write down what you earn a month",
    points: [],
  },
  { when: `${terms.months} months`, what: "Do the work", points: guaranteeWork },
  {
    when: `${terms.claimDays} days after`,
    what: `Claim, if you earn less than ${terms.incomeMultiple} times as much`,
    points: [],
  },
];

/** The terms in plain words, for everyone. */
export const termSections: readonly {
  readonly title: string;
  readonly paragraphs: readonly string[];
}[] = [
  {
    title: "What we promise",
    paragraphs: [
      `If you do the work for ${terms.months} months and your monthly income isn't ${terms.incomeMultiple} times what it was, we refund every payment you made, and your membership continues without charge.`,
    ],
  },
  {
    title: "Where you start",
    paragraphs: [
      `In the first ${terms.baselineDays} days of your first paid membership you write down, on your progress page, what you earn a month and where it comes from. You can correct it until those days are over. Without it there is nothing to compare with, and the guarantee doesn't apply.`,
      `You can add a document that shows it. Only you see it, and administrators while your claim is being decided. It's deleted when your time for a claim is over, or 30 days after the decision.`,
      `If you earn less than ${formatPence(terms.leastBasePence)} a month, we count from ${formatPence(terms.leastBasePence)}. If you joined before this page existed, your ${terms.baselineDays} days began on the day it did.`,
    ],
  },
  {
    title: "What counts as income",
    paragraphs: [
      "Money you earned and received in a month, before tax: wages, what customers paid you less what the work cost you, rent and returns on savings. Gifts, loans, benefits and selling your own belongings don't count, neither at the start nor at the end.",
    ],
  },
  {
    title: `What “did the work” means`,
    paragraphs: [
      `Every line of “Do the work” above, all of it within the ${terms.months} months. A message may be a reply. Your progress page counts it all and shows where you stand.`,
      `A month of membership is one in which your membership, paid or complimentary, ran for at least ${terms.membershipDays} days. A failed card that's put right within days doesn't count against you.`,
      "A check-in is what you earned that month. You can't fill in a month once it's over. If we change these terms, the ones in force on the day you wrote down your start still apply to you.",
    ],
  },
  {
    title: "How you claim",
    paragraphs: [
      `You have ${terms.claimDays} days after the ${terms.months} months to claim on your progress page. Say what you earned in the last month and what shows it. Your record is compared with these terms first, line by line: if a line isn't met, the claim is declined and you're told which. If all are met, a person decides and gives a reason.`,
      "You can appeal once, within 30 days of a claim being declined. Someone else decides, and that decision is final.",
      `If a claim is granted, we refund every payment to the card it came from at once, and your membership continues without charge. If you can't reach your account, write to ${brand.supportEmail}.`,
      "Your record is kept in your account and isn't shown to other members; administrators see it when you claim. It's part of your data export and is deleted with your account.",
    ],
  },
];
