import type { BackendClient } from "@/lib/backend-client.ts";

/** Decides about a reported message. Administrators only. Throws the database's error. */
export async function resolveReport(
  client: BackendClient,
  reportId: number,
  verdict: "keep" | "remove",
): Promise<void> {
  const { error } = await client.rpc("resolve_report", { report_id: reportId, verdict });
  if (error) throw error;
}
