import type { GuaranteeLine } from "./guarantee-record.ts";

/** `filed` and `appealed` wait for a person; `refused` is the answer to an appeal. */
export type ClaimState = "filed" | "declined" | "appealed" | "granted" | "refused";

/** The member's one claim. Times in epoch milliseconds. */
export interface GuaranteeClaim {
  readonly state: ClaimState;
  readonly monthlyPence: number;
  /** As they were counted when the claim was made. */
  readonly lines: readonly GuaranteeLine[];
  /** Of the person who decided; null while only the rules have. */
  readonly reason: string | null;
  /** Until when one can appeal; null while nothing was decided. */
  readonly appealUntil: number | null;
}
