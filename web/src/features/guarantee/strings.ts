import { brand, formatPence } from "@/domain/brand.ts";
import { guaranteeLineNames, guaranteeTerms, guaranteeWork } from "@/domain/guarantee-terms.ts";
import { retryLaterMessage, toAppError, tryAgain } from "@/lib/errors.ts";
import { formatCount, pluralise } from "@/lib/format-count.ts";
import { unreadableFileText, UnreadableFileError } from "@/lib/reencode-image.ts";
import type { ClaimState } from "./model/guarantee-claim.ts";
import type { GuaranteeLine } from "./model/guarantee-record.ts";

export const guaranteePageStrings = {
  checklist: "What you do, in short",
  title: "The guarantee",
  intro: "10x your income within 6 months, or your money back and you continue for free.",
  toProgress: "Go to your progress",
  claims: "Claims so far",
  tooFewClaims:
    "Fewer than five claims have been decided. From the fifth on we say how they ended, so that nobody can be told apart.",
  claimFigures: (decided: number, granted: number) =>
    `${pluralise(decided, "claim")} decided, ${formatCount(granted)} granted. Claims that didn't meet the terms are counted as decided.`,
} as const;

export const guaranteeRecordStrings = {
  title: "Your guarantee",
  intro: "What you started at, what you did, and how much of your six months is left.",
  terms: "Read the terms",
  noneTitle: "Your guarantee starts with your first payment",
  none: "From then on you'll see here what is on record and what is left to do.",
  loadFailed: "We couldn't load your guarantee",
  recordSafe: "Your record is safe.",
  loading: "Loading your guarantee",
  noStart: (until: string) =>
    `Nothing was written down in the first week, which ended ${until}. Without a start there is nothing to compare with, so the guarantee doesn't apply.`,
  start: (until: string, months: number) =>
    `Write down what you earn a month, by ${until}. It's what your income is compared with when your ${months} months are over. Without it the guarantee doesn't apply.`,
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
    month === undefined ? "None yet: your start" : `Month ${month}`,
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
  sourceHint: "Such as: salary, freelance work, my shop.",
  sourceMissing: "Say where the income comes from.",
  document: "A document that shows it (optional)",
  documentHint:
    "Such as a payslip. JPG, PNG or PDF, up to 10 MB. Only you see it, and administrators while your claim is being decided.",
  documentHeldHint: "One is on record. A new one takes its place. JPG, PNG or PDF, up to 10 MB.",
  save: "Save where I start",
  saveCorrection: "Save the correction",
  saved: "Where you start is on record.",
  saveFailed: "It wasn't saved.",
} as const;

export const checkInFormStrings = {
  name: (month: number) => `Check-in of month ${month}`,
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
  statement: "Where this can be seen",
  statementHint: "Such as: my payslip of March, my accounts. We may ask for it.",
  statementMissing: "Say where this can be seen.",
  send: "Make the claim",
  sendFailed: "Your claim wasn't made.",
} as const;

export const appealFormStrings = {
  name: "Your appeal",
  appeal: "What was overlooked",
  appealHint: (until: string) => `You can appeal once, by ${until}. Someone else decides.`,
  appealMissing: "Say what was overlooked.",
  send: "Appeal",
  sendFailed: "Your appeal wasn't made.",
} as const;

/** After the months: until when one can claim, and what became of the claim. */
export const claimStrings = {
  loadFailed: "We couldn't load your claim",
  loading: "Loading your claim",
  tooLate: (months: number, ended: string) =>
    `Your ${months} months are over, and so is the time for a claim, which ended ${ended}.`,
  open: (months: number, target: string, until: string) =>
    `Your ${months} months are over. If you earn less than ${target} a month and every line above is met, you can claim by ${until}. A claim is made once.`,
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
    text: "We refund every payment to the card it came from, and your membership continues without charge.",
  },
  declined: { title: "Your claim was declined", text: null },
  refused: { title: "Your appeal was turned down", text: "This decision is final." },
};

const known: Readonly<Record<string, string>> = {
  FF300: "You're going too fast. Wait a moment and try again.",
  FF671: "Your first week is over.",
  FF675: "The months of your record are over.",
  FF676: "Write something, up to 2,000 characters.",
  FF677: "The time for a claim is over.",
  FF678: "You have made your claim already.",
  FF679: "The time for an appeal is over, or you have appealed already.",
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
      `If you do the work for ${terms.months} months and your income a month is not ${terms.incomeMultiple} times what it was, we refund every payment you made, and your membership continues without charge.`,
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
      `A month of membership is one in which your membership, paid or complimentary, ran for at least ${terms.membershipDays} days. A card that fails and is put right within days takes nothing away.`,
      "A check-in is what you earned that month. A month that is over can't be filled in later. The terms of the day you wrote down your start stay yours if we change ours.",
    ],
  },
  {
    title: "How you claim",
    paragraphs: [
      `Within ${terms.claimDays} days after the ${terms.months} months you claim on your progress page, with what you earned in the last month and where that can be seen. Your record is compared with these terms first, line by line: a line that isn't met declines the claim, and you read which. If all are met, a person decides and gives a reason.`,
      "You can appeal once, within 30 days after a claim was declined. Someone else decides about it, and that is final.",
      `A claim that is granted refunds every payment to the card it came from, at once, and your membership continues without charge. If you can't reach your account, write to ${brand.supportEmail}.`,
      "Your record is kept in your account and shown to no other member; administrators see it when you claim. It's part of your data export and is deleted with your account.",
    ],
  },
];
