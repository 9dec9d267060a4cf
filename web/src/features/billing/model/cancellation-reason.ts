/** Why a member cancels; both may be empty. */
export interface CancellationReason {
  /** A value of `cancellationReasons`. */
  readonly reason: string;
  readonly comment: string;
}

export const noCancellationReason: CancellationReason = { reason: "", comment: "" };
