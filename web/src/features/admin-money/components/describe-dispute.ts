import type { BadgeProps } from "@/ui/badge.tsx";
import { disputeAccessTexts, disputeStatusNames } from "../strings/disputes.ts";
import { refundStatusNames } from "../strings/refunds.ts";

interface Status {
  readonly label: string;
  readonly colour: NonNullable<BadgeProps["colour"]>;
}

const disputeStatuses: Readonly<Record<string, Status>> = {
  warning_needs_response: { label: disputeStatusNames.warningNeedsResponse, colour: "info" },
  warning_under_review: { label: disputeStatusNames.warningUnderReview, colour: "info" },
  warning_closed: { label: disputeStatusNames.warningClosed, colour: "plain" },
  needs_response: { label: disputeStatusNames.needsResponse, colour: "danger" },
  under_review: { label: disputeStatusNames.underReview, colour: "warn" },
  appeal_needs_response: { label: disputeStatusNames.appealNeedsResponse, colour: "danger" },
  appeal_under_review: { label: disputeStatusNames.appealUnderReview, colour: "warn" },
  won: { label: disputeStatusNames.won, colour: "good" },
  lost: { label: disputeStatusNames.lost, colour: "plain" },
};

/** The provider's status in words. */
export function disputeStatus(status: string): Status {
  return disputeStatuses[status] ?? { label: status, colour: "plain" };
}

const refundStatuses: Readonly<Record<string, Status>> = {
  succeeded: { label: refundStatusNames.succeeded, colour: "good" },
  pending: { label: refundStatusNames.withBank, colour: "info" },
  requires_action: { label: refundStatusNames.withBank, colour: "info" },
  failed: { label: refundStatusNames.failed, colour: "danger" },
  canceled: { label: refundStatusNames.cancelled, colour: "danger" },
};

/** The provider's status of a refund in words. */
export function refundStatus(status: string): Status {
  return refundStatuses[status] ?? { label: status, colour: "plain" };
}

/** What a dispute means for the member's access. */
export function accessText({
  hold,
  hasAccess,
}: {
  readonly hold: string | null;
  readonly hasAccess: boolean | null;
}): string {
  if (hasAccess === null) return disputeAccessTexts.deleted;
  if (hold === "disputed") return disputeAccessTexts.disputed;
  if (hold === "dispute_lost") return disputeAccessTexts.lost;
  if (hold === "refunded") return disputeAccessTexts.refunded;
  return hasAccess ? disputeAccessTexts.kept : disputeAccessTexts.none;
}
