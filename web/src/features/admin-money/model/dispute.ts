import type { AppConfig } from "@/lib/config.ts";

/** True while the bank takes evidence. */
export function awaitsEvidence(status: string): boolean {
  return status.endsWith("needs_response");
}

/** True when the bank returned the money, so that the member hasn't got it. */
export function hasRefundFailed(status: string): boolean {
  return status === "failed" || status === "canceled";
}

/** The dispute in the provider's own dashboard; null with the sandbox, which has none. */
export function dashboardLink(config: AppConfig, dispute: string): string | null {
  const { stripePublishableKey: key, stripeScriptUrl: script } = config;
  if (key === null || script !== null) return null;
  const mode = key.startsWith("pk_live_") ? "" : "test/";
  return `https://dashboard.stripe.com/${mode}disputes/${encodeURIComponent(dispute)}`;
}
