import { brand, formatPence } from "@/domain/brand.ts";
import { guaranteeTerms } from "@/domain/guarantee-terms.ts";
import { retryLaterMessage, toAppError, tryAgain } from "@/lib/errors.ts";
import { UnreadableFileError } from "@/lib/reencode-image.ts";

export const incomeProblem = "Enter whole pounds, from £0 to £1,000,000.";

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
  if (error instanceof UnreadableFileError) return "The document can't be read. Choose another.";
  return known[toAppError(error).code] ?? retryLaterMessage(error) ?? tryAgain;
}

const terms = guaranteeTerms;

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
      `You can add a document that shows it. Only you see it, and administrators while your claim waits. It's deleted when your time for a claim is over, or 30 days after the decision.`,
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
      `Within the ${terms.months} months: ${terms.checkIns} check-ins, one in each month; ${terms.submissions} submissions; ${terms.messages} messages or replies in chat rooms; and ${terms.articles} articles read. Your progress page counts them and shows where you stand.`,
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
