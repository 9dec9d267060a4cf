import { brand } from "@/domain/brand.ts";
import type { MentorSales } from "./model/course-offer.ts";
import type { Purchase } from "./model/purchase.ts";

export const sellingStrings = {
  notBought: "The course couldn't be bought. You have not been charged. Try again in a moment.",
  saleFailed: "We couldn't load this course",
  noSale: "This course isn't on sale",
  noSaleHint:
    "The link may be wrong, or its mentor has stopped selling it. What you bought stays under Your courses.",
  saleEnded: "Sale ended",
  saleEndedTitle: "An administrator ended this sale",
  saleEndedHint: `Buyers keep the course and you keep what you earned. If you think it's a mistake, write to ${brand.supportEmail}.`,
  moveFailed: "We couldn't move you to the newer version.",
  aCourseBy: (mentor: string) => `A course by ${mentor}. One payment, yours for life.`,
  payFirst: "Your bank may ask you to approve the payment.",
} as const;

/** What is and is not part of what one buys. */
export const included = [
  "Every lesson of this course, for life, with changes its mentor makes later",
  "Your progress, lesson by lesson",
  "A receipt for your records",
] as const;
export const notIncluded = [
  `A membership of ${brand.name}: its rooms, articles and other courses`,
  "Questions to the mentor, which members ask under a lesson",
  "A certificate, which members get when they finish",
] as const;

/** What a refund takes, in one sentence or two. */
export function refundSentence(days: number): string {
  return `Not for you? Write to ${brand.supportEmail} within ${days} days of buying and we refund the full price to your card. The course then closes.`;
}

/** What the state of a purchase means for the reader; null while all is well. */
export function purchaseNote({ state, refundedPence }: Purchase): string | null {
  switch (state) {
    case "waiting":
      return "We are waiting for your bank to confirm the payment. This page updates by itself.";
    case "refunded":
      return "We refunded the full price to your card, so this course is closed. You can buy it again at any time.";
    case "disputed":
      return "Your bank has disputed this payment. The course is closed until that is settled.";
    case "paid":
      return refundedPence > 0 ? "We refunded part of the price. The course stays open." : null;
  }
}

const percent = (basisPoints: number) => `${basisPoints / 100}%`;

/** The terms of selling in plain words. */
export function mentorRules(sales: MentorSales): readonly string[] {
  return [
    `You earn ${percent(sales.shareBasisPoints)} of what a buyer pays. It is pending for ${sales.pendingDays} days and then paid with your commissions. A refund or a dispute takes it back.`,
    `A member whose link brought the buyer earns ${percent(sales.referralBasisPoints)}. That doesn't come out of your share.`,
    `Buyers can ask for their money back for ${sales.refundDays} days. They keep the course for life, also when you withdraw it or end the sale.`,
    "Buyers read the lessons and nothing else of the community, and you don't learn who they are.",
  ];
}
