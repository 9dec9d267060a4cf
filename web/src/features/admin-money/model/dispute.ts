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

const refundStatuses: Readonly<Record<string, string>> = {
  succeeded: "Refunded",
  pending: "The bank has yet to confirm it",
  requires_action: "The bank has yet to confirm it",
  failed: "Failed: the money came back",
  canceled: "Cancelled",
};

/** The provider's status of a refund in words. */
export function refundStatus(status: string): string {
  return refundStatuses[status] ?? status;
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
