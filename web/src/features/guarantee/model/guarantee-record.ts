import type { GuaranteeLineName } from "@/domain/guarantee-terms.ts";

/** One thing that the terms ask for, as the database counts it. */
export interface GuaranteeLine {
  readonly line: GuaranteeLineName;
  readonly needed: number;
  readonly held: number;
  readonly met: boolean;
}

/** Where the member started. Times in epoch milliseconds. */
export interface GuaranteeBaseline {
  readonly monthlyPence: number;
  readonly source: string;
  readonly hasDocument: boolean;
  /** What an income a month has to become. */
  readonly targetPence: number;
  readonly endsAt: number;
  readonly claimUntil: number;
  /** The month that is running, from 1; one more than the months of the terms once they are over. */
  readonly month: number;
}

export interface GuaranteeCheckIn {
  readonly month: number;
  readonly monthlyPence: number;
}

/** The member's record of the guarantee. */
export interface GuaranteeRecord {
  /** Until when the baseline can be written down and corrected, in epoch milliseconds. */
  readonly baselineUntil: number;
  readonly isBaselineOpen: boolean;
  readonly months: number;
  readonly baseline: GuaranteeBaseline | null;
  readonly checkIns: readonly GuaranteeCheckIn[];
  readonly lines: readonly GuaranteeLine[];
}
