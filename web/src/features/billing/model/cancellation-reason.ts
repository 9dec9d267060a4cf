/** Why a member cancels; both may be empty. */
export interface CancellationReason {
  /** A value of `cancellationReasons`. */
  readonly reason: string;
  readonly comment: string;
}

export const noCancellationReason: CancellationReason = { reason: "", comment: "" };

/** The card provider's values for feedback, in words. */
export const cancellationReasons = [
  { value: "too_expensive", label: "It costs too much" },
  { value: "unused", label: "I don't use it enough" },
  { value: "missing_features", label: "Something I need is missing" },
  { value: "switched_service", label: "I found something else" },
  { value: "too_complex", label: "It's too complicated" },
  { value: "low_quality", label: "It's not as good as I hoped" },
  { value: "customer_service", label: "I wasn't helped well" },
  { value: "other", label: "Another reason" },
] as const;
