import type { BackendClient } from "@/lib/backend-client.ts";
import { textReportsFrom, type TextReport } from "../model/text-report.ts";

export type TextDecision = "keep" | "remove";

/** The reported direct messages and posts that wait. Throws the database's error. */
export async function fetchTextReports(client: BackendClient): Promise<readonly TextReport[]> {
  const { data, error } = await client.rpc("text_report_queue");
  if (error) throw error;
  return textReportsFrom(data);
}

/** Keeps or deletes a reported text. Throws the database's error. */
export async function resolveTextReport(
  client: BackendClient,
  reportId: number,
  decision: TextDecision,
): Promise<void> {
  const { error } = await client.rpc("resolve_text_report", { report_id: reportId, decision });
  if (error) throw error;
}
