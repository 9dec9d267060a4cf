import type { BackendClient } from "@/lib/backend-client.ts";
import { callProcedure } from "@/lib/call-procedure.ts";

/** Decides about a reported message. Administrators only. Throws the database's error. */
export async function resolveReport(
  client: BackendClient,
  reportId: number,
  verdict: "keep" | "remove",
): Promise<void> {
  await callProcedure(client, "resolve_report", { report_id: reportId, decision: verdict });
}
