/** What a change of plan costs, before it is made. Amounts in minor units. */
export interface PlanChangePreviewResponse {
  readonly quoteId: string;
  /** An upgrade is made at once, a downgrade when the period ends. */
  readonly kind: "upgrade" | "downgrade";
  readonly currency: string;
  readonly dueNowPence: number;
  readonly lines: readonly { readonly description: string; readonly amountPence: number }[];
  readonly nextAmountPence: number;
  /** When the next payment is taken, epoch seconds. */
  readonly nextAt: number;
}

/** The server's own text; empty when it gave none. */
export interface PlanChangeRefusal {
  readonly kind: "refused";
  readonly message: string;
}

export type PlanChangeResponse =
  | { readonly kind: "changed" | "planned" }
  /** `changeId` names the change for undoing it. */
  | {
      readonly kind: "needs-authentication";
      readonly clientSecret: string;
      readonly changeId: string;
    }
  | PlanChangeRefusal
  /** No answer, or none that says what happened: the change may have been made and paid. */
  | { readonly kind: "unclear" };
