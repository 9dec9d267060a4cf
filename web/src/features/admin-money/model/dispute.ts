import type { AppConfig } from "@/lib/config.ts";
import type { BadgeProps } from "@/ui/badge.tsx";

interface Status {
  readonly label: string;
  readonly colour: NonNullable<BadgeProps["colour"]>;
}

const disputeStatuses: Readonly<Record<string, Status>> = {
  warning_needs_response: { label: "The bank asks", colour: "info" },
  warning_under_review: { label: "Enquiry under review", colour: "info" },
  warning_closed: { label: "Enquiry closed", colour: "plain" },
  needs_response: { label: "Needs evidence", colour: "danger" },
  under_review: { label: "Under review", colour: "warn" },
  appeal_needs_response: { label: "Appeal needs evidence", colour: "danger" },
  appeal_under_review: { label: "Appeal under review", colour: "warn" },
  won: { label: "Won", colour: "good" },
  lost: { label: "Lost", colour: "plain" },
};

/** The provider's status in words. */
export function disputeStatus(status: string): Status {
  return disputeStatuses[status] ?? { label: status, colour: "plain" };
}

/** True while the bank takes evidence. */
export function awaitsEvidence(status: string): boolean {
  return status.endsWith("needs_response");
}

const refundStatuses: Readonly<Record<string, Status>> = {
  succeeded: { label: "Refunded", colour: "good" },
  pending: { label: "With the bank", colour: "info" },
  requires_action: { label: "With the bank", colour: "info" },
  failed: { label: "Failed: the money came back", colour: "danger" },
  canceled: { label: "Cancelled: the money came back", colour: "danger" },
};

/** The provider's status of a refund in words. */
export function refundStatus(status: string): Status {
  return refundStatuses[status] ?? { label: status, colour: "plain" };
}

/** True when the bank returned the money, so that the member hasn't got it. */
export function hasRefundFailed(status: string): boolean {
  return status === "failed" || status === "canceled";
}

/** What a dispute means for the member's access. */
export function accessText({
  hold,
  hasAccess,
}: {
  readonly hold: string | null;
  readonly hasAccess: boolean | null;
}): string {
  if (hasAccess === null) return "The account was deleted";
  if (hold === "disputed") return "Suspended until the bank decides";
  if (hold === "dispute_lost") return "Ended, because the dispute was lost";
  if (hold === "refunded") return "Ended, because the payment was refunded";
  return hasAccess ? "Not affected" : "No access for another reason";
}

/** The dispute in the provider's own dashboard; null with the sandbox, which has none. */
export function dashboardLink(config: AppConfig, dispute: string): string | null {
  const { stripePublishableKey: key, stripeScriptUrl: script } = config;
  if (key === null || script !== null) return null;
  const mode = key.startsWith("pk_live_") ? "" : "test/";
  return `https://dashboard.stripe.com/${mode}disputes/${encodeURIComponent(dispute)}`;
}
