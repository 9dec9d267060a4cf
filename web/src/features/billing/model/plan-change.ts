import type { Refusal } from "@/lib/refusal.ts";
import type { PlanChangePreviewResponse, PlanChangeResponse } from "./plan-change-response.ts";

/** The outside world of a change, so that the order of its steps can be tested by itself. */
export interface PlanChangeSteps {
  readonly requestPlanChange: () => Promise<PlanChangeResponse>;
  /** Shows the bank's question. Null when it was answered well, else the provider's text. */
  readonly confirmCardPayment: (clientSecret: string) => Promise<string | null>;
  /** Drops a change whose payment was refused. */
  readonly cancelPlanChange: (changeId: string) => Promise<unknown>;
}

export type PlanChangeOutcome =
  /** The server says so. It is shown as done once the subscription says so, too. */
  | { readonly kind: "changed" | "planned" }
  /** Nothing was changed. */
  | ({ readonly kind: "refused" } & Refusal<"planChangeFailed">)
  /** It may have been changed and paid. Repeating it with the same quote charges nothing twice. */
  | { readonly kind: "unclear" };

/** Makes a change of plan, with the bank's question if there is one. Never throws. */
export async function switchPlan(steps: PlanChangeSteps): Promise<PlanChangeOutcome> {
  try {
    const result = await steps.requestPlanChange();
    if (result.kind === "refused") return refused(result.message);
    if (result.kind !== "needs-authentication") return { kind: result.kind };
    const refusal = await steps.confirmCardPayment(result.clientSecret);
    if (refusal !== null) {
      await steps.cancelPlanChange(result.changeId);
      return refused(refusal);
    }
    // The payment is made; this brings it to the membership without waiting for the webhook.
    const after = await steps.requestPlanChange();
    return after.kind === "changed" || after.kind === "planned"
      ? { kind: after.kind }
      : { kind: "unclear" };
  } catch {
    return { kind: "unclear" };
  }
}

function refused(message: string): PlanChangeOutcome {
  return message === ""
    ? { kind: "refused", code: "planChangeFailed" }
    : { kind: "refused", message };
}

/** What credit or a debt changes about the amount due now; 0 without any. Minor units. */
export function previewReduction(
  preview: Pick<PlanChangePreviewResponse, "lines" | "dueNowPence">,
): number {
  return preview.dueNowPence - preview.lines.reduce((sum, { amountPence }) => sum + amountPence, 0);
}
