import type Stripe from "stripe";
import { invalidRequest } from "../api-errors.ts";
import { creditDispute, debitDispute } from "./balance.ts";
import { newDispute, type DisputeReason } from "../objects/dispute-objects.ts";
import type { SandboxState } from "../sandbox-state.ts";

const openStatuses = new Set([
  "needs_response",
  "under_review",
  "warning_needs_response",
  "warning_under_review",
]);

export interface DisputeOptions {
  reason?: DisputeReason | undefined;
  /** An inquiry: no funds are withdrawn yet. */
  isInquiry?: boolean | undefined;
}

/** Opens a dispute, or an inquiry, for a charge. */
export function openDispute(
  state: SandboxState,
  chargeId: string,
  { reason = "fraudulent", isInquiry = false }: DisputeOptions = {},
): Stripe.Dispute {
  const charge = state.get("charges", chargeId, "charge");
  if (!charge.paid || charge.disputed) {
    throw invalidRequest(`Charge ${chargeId} cannot be disputed.`, "charge");
  }
  const made = newDispute(charge, reason, isInquiry, state.now());
  if (!isInquiry) made.balance_transactions = [debitDispute(state, made)];
  const dispute = state.put("disputes", made);
  state.update("charges", chargeId, { disputed: true }, "charge.updated");
  state.emit("charge.dispute.created", dispute);
  if (!isInquiry) state.emit("charge.dispute.funds_withdrawn", dispute);
  return dispute;
}

/** Closes a dispute. Winning one reinstates the funds; a won inquiry closes as `warning_closed`. */
export function closeDispute(
  state: SandboxState,
  id: string,
  outcome: "won" | "lost",
): Stripe.Dispute {
  const existing = state.get("disputes", id, "dispute");
  if (!openStatuses.has(existing.status)) throw invalidRequest("This dispute is already closed.");
  const isInquiry = existing.status.startsWith("warning_");
  const moved = [...existing.balance_transactions];
  if (isInquiry && outcome === "lost") {
    moved.push(debitDispute(state, existing));
    state.emit("charge.dispute.funds_withdrawn", { ...existing, balance_transactions: moved });
  }
  if (!isInquiry && outcome === "won") moved.push(creditDispute(state, existing));
  const status = isInquiry && outcome === "won" ? "warning_closed" : outcome;
  const closed = state.update(
    "disputes",
    id,
    { status, is_charge_refundable: false, balance_transactions: moved },
    "charge.dispute.closed",
  );
  if (status === "won") state.emit("charge.dispute.funds_reinstated", closed);
  return closed;
}

/** Submits evidence. As in Stripe's test mode, `winning_evidence` and `losing_evidence` close the dispute. */
export function submitEvidence(
  state: SandboxState,
  id: string,
  text: string | null,
): Stripe.Dispute {
  const existing = state.get("disputes", id);
  if (!openStatuses.has(existing.status)) {
    throw invalidRequest("This dispute is already closed.", undefined, "dispute_closed");
  }
  const isInquiry = existing.status.startsWith("warning_");
  const details = existing.evidence_details;
  state.update(
    "disputes",
    id,
    {
      evidence: { ...existing.evidence, uncategorized_text: text },
      evidence_details: {
        ...details,
        has_evidence: true,
        submission_count: details.submission_count + 1,
        submission_method: "manual",
      },
      status: isInquiry ? "warning_under_review" : "under_review",
    },
    "charge.dispute.updated",
  );
  if (text === "winning_evidence") return closeDispute(state, id, "won");
  if (text === "losing_evidence") return closeDispute(state, id, "lost");
  return state.get("disputes", id);
}
