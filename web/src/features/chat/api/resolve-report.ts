import type { BackendClient } from "@/lib/backend-client.ts";

export type ReportDecision = "keep" | "remove";

/** Keeps or removes a reported message. Administrators only. Throws the database's error. */
export async function resolveReport(
  client: BackendClient,
  reportId: number,
  decision: ReportDecision,
): Promise<void> {
  const { error } = await client.rpc("resolve_message_report", { report_id: reportId, decision });
  if (error) throw error;
}
