import { formatPence } from "@/domain/brand.ts";
import {
  formatRate,
  type AffiliateTerms,
  type Commission,
  type CommissionState,
} from "./model/affiliate.ts";

export const stateNames: Readonly<Record<CommissionState, string>> = {
  pending: "Pending",
  payable: "Payable",
  taken_back: "Taken back",
};

/** What a line of the ledger was earned from. */
export function earnedFrom({ kind, courseTitle, invoiceNumber }: Commission): string {
  if (kind === "membership") return invoiceNumber ?? "Account deleted";
  const course = courseTitle ?? "a course";
  return kind === "course_sale" ? `Your course: ${course}` : `Your link: ${course}`;
}

/** One sentence about what a link earns. */
export function earningSentence({ rateBasisPoints, commissionMonths }: AffiliateTerms): string {
  return `You earn ${formatRate(rateBasisPoints)} of every payment that people who join by your link make in their first ${commissionMonths} months.`;
}

/** The rules in plain words. */
export function ruleSentences(terms: AffiliateTerms): readonly string[] {
  return [
    `Visitors are asked whether we may remember that they came by your link. If they agree and sign up within ${terms.attributionDays} days, they count as yours. The first link counts.`,
    `A commission is pending for ${terms.pendingDays} days and payable after that. A refund or a dispute takes it back, also when it was paid out already.`,
    `We transfer what is payable once it reaches ${formatPence(terms.leastPayoutPence)}. Every transfer is listed here with its reference.`,
    "Your own accounts, cards that another account used before, and people who joined before their visit earn nothing.",
    "You never see who joined. If you delete your account, what was not paid out is given up.",
  ];
}
