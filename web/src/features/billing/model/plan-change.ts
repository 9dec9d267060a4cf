import { billingStrings } from "../strings.ts";
import type { PlanChangeResponse } from "../api/change-plan.ts";

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

/** The outside world of a change, so that the order of its steps can be tested by itself. */
export interface PlanChangeSteps {
  readonly requestPlanChange: () => Promise<PlanChangeResponse>;
  /** Shows the bank's question. Null when it was answered well, else the provider's text. */
  readonly confirmCardPayment: (clientSecret: string) => Promise<string | null>;
  /** Drops a change whose payment was refused. */
  readonly cancelPlanChange: (changeId: string) => Promise<unknown>;
}

export type PlanChangeOutcome =
  { readonly kind: "changed" | "planned" } | { readonly kind: "problem"; readonly message: string };

/** Makes a change of plan, with the bank's question if there is one. Never throws. */
export async function switchPlan(steps: PlanChangeSteps): Promise<PlanChangeOutcome> {
  try {
    const result = await steps.requestPlanChange();
    if (result.kind === "refused") return problem(result.message);
    if (result.kind !== "needs-authentication") return { kind: result.kind };
    const refusal = await steps.confirmCardPayment(result.clientSecret);
    if (refusal === null) {
      // Brings the payment to the membership without waiting for the webhook.
      await steps.requestPlanChange();
      return { kind: "changed" };
    }
    await steps.cancelPlanChange(result.changeId);
    return problem(refusal);
  } catch {
    return problem("");
  }
}

function problem(message: string): PlanChangeOutcome {
  return { kind: "problem", message: message === "" ? billingStrings.planChangeFailed : message };
}
