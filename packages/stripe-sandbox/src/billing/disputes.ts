import type Stripe from "stripe";
import { badRequest } from "../fault.ts";
import { newDispute, type DisputeReason } from "../objects/dispute-objects.ts";
import type { World } from "../world.ts";

const OPEN = new Set([
  "needs_response",
  "under_review",
  "warning_needs_response",
  "warning_under_review",
]);

export interface DisputeOptions {
  reason?: DisputeReason | undefined;
  /** The bank only asks; nothing is taken yet. */
  isInquiry?: boolean | undefined;
}

/** The cardholder's bank takes a charge back, or asks about it. */
export function openDispute(
  world: World,
  chargeId: string,
  { reason = "fraudulent", isInquiry = false }: DisputeOptions = {},
): Stripe.Dispute {
  const charge = world.get("charges", chargeId, "charge");
  if (!charge.paid || charge.disputed) {
    throw badRequest(`Charge ${chargeId} cannot be disputed.`, "charge");
  }
  const dispute = world.put("disputes", newDispute(charge, reason, isInquiry, world.now()));
  world.amend("charges", chargeId, { disputed: true }, "charge.updated");
  world.emit("charge.dispute.created", dispute);
  if (!isInquiry) world.emit("charge.dispute.funds_withdrawn", dispute);
  return dispute;
}

/** The bank decides. Won money comes back; an inquiry that is won closes without having taken any. */
export function closeDispute(world: World, id: string, outcome: "won" | "lost"): Stripe.Dispute {
  const held = world.get("disputes", id, "dispute");
  if (!OPEN.has(held.status)) throw badRequest("This dispute is already closed.");
  const isInquiry = held.status.startsWith("warning_");
  if (isInquiry && outcome === "lost") {
    world.emit("charge.dispute.funds_withdrawn", held);
  }
  const status = isInquiry && outcome === "won" ? "warning_closed" : outcome;
  const closed = world.amend(
    "disputes",
    id,
    { status, is_charge_refundable: false },
    "charge.dispute.closed",
  );
  if (status === "won") world.emit("charge.dispute.funds_reinstated", closed);
  return closed;
}

/** Evidence that names its own outcome decides a dispute, as the provider's test mode has it. */
export function submitEvidence(world: World, id: string, text: string | null): Stripe.Dispute {
  const held = world.get("disputes", id);
  if (!OPEN.has(held.status)) {
    throw badRequest("This dispute is already closed.", undefined, "dispute_closed");
  }
  const isInquiry = held.status.startsWith("warning_");
  const details = held.evidence_details;
  world.amend(
    "disputes",
    id,
    {
      evidence: { ...held.evidence, uncategorized_text: text },
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
  if (text === "winning_evidence") return closeDispute(world, id, "won");
  if (text === "losing_evidence") return closeDispute(world, id, "lost");
  return world.get("disputes", id);
}
