/** What a referral earns, as the database says it. */
export interface AffiliateTerms {
  /** Hundredths of a per cent. */
  readonly rateBasisPoints: number;
  readonly commissionMonths: number;
  readonly attributionDays: number;
  readonly pendingDays: number;
  readonly leastPayoutPence: number;
}

/** What the plans on sale cost a month, in pence; null where one is not on sale. */
export interface MonthlyPrices {
  readonly student: number | null;
  readonly mentor: number | null;
}

/** What the ledger says about one calendar month (UTC), in pence. */
export interface AffiliateMonth {
  /** Such as `2026-11`. */
  readonly month: string;
  readonly earnedPence: number;
  readonly takenBackPence: number;
  readonly paidPence: number;
}

export interface AffiliatePayout {
  readonly id: number;
  readonly amountPence: number;
  readonly reference: string;
  /** Epoch milliseconds. */
  readonly paidAt: number;
}

/** The caller's link and what it has brought. */
export interface Affiliate {
  readonly code: string;
  /** False while the membership is off: visits are not remembered then. */
  readonly isOpen: boolean;
  readonly terms: AffiliateTerms;
  readonly monthlyPrices: MonthlyPrices;
  readonly visits: number;
  readonly signUps: number;
  readonly members: number;
  readonly pendingPence: number;
  readonly payablePence: number;
  readonly paidPence: number;
  readonly months: readonly AffiliateMonth[];
  readonly payouts: readonly AffiliatePayout[];
}

export type CommissionState = "pending" | "payable" | "taken_back";

/** A payment that earned. Times in epoch milliseconds. */
export interface Commission {
  readonly chargeId: string;
  /** Null once the account that paid is deleted. */
  readonly invoiceNumber: string | null;
  readonly paidAt: number;
  readonly payableAt: number;
  readonly state: CommissionState;
  readonly amountPence: number;
  /** Somebody's membership, one's own course that was sold, or a course that one's link sold. */
  readonly kind: "membership" | "course_sale" | "course_referral";
  readonly courseTitle: string | null;
}

/** Courses that one's link can bring buyers to, and what a sale earns, in hundredths of a per cent. */
export interface CoursesOnSale {
  readonly rateBasisPoints: number;
  readonly courses: readonly {
    readonly slug: string;
    readonly title: string;
    readonly pricePence: number;
  }[];
}

/** Such as `20%` or `12.5%`. */
export function formatRate(basisPoints: number): string {
  return `${basisPoints / 100}%`;
}
