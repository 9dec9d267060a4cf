import type { ReportCategory } from "@/domain/report-categories.ts";
import type { BackendClient } from "@/lib/backend-client.ts";
import type { ReportDecision, ReportKind } from "../model/report-kinds.ts";
import { reportsFrom, type Report, type ReportSubject } from "../model/report.ts";

/** What is wrong with something: chosen from the list, said in one's own words, or both. */
interface ReportReason {
  readonly category: ReportCategory | null;
  readonly words: string;
}

/** Reports something to the administrators. Throws the database's error. */
export async function sendReport(
  client: BackendClient,
  { kind, id }: ReportSubject,
  { category, words }: ReportReason,
): Promise<void> {
  const { error } = await client.rpc("report", {
    kind,
    subject_id: id,
    ...(category === null ? {} : { category }),
    ...(words === "" ? {} : { reason: words }),
  });
  if (error) throw error;
}

/** What waits for a decision, of one kind or of all. Administrators only. Throws the database's error. */
export async function fetchReports(
  client: BackendClient,
  kind: ReportKind | null,
): Promise<readonly Report[]> {
  const { data, error } = await client.rpc("report_queue", kind === null ? {} : { kind });
  if (error) throw error;
  return reportsFrom(data);
}

/** Decides about what was reported. Administrators only. Throws the database's error. */
export async function resolveReport(
  client: BackendClient,
  reportId: number,
  decision: ReportDecision,
  /** Why it is taken away, for its author; nothing where it is kept. */
  explanation: string,
): Promise<void> {
  const { error } = await client.rpc("resolve_report", {
    report_id: reportId,
    decision,
    ...(decision === "keep" ? {} : { explanation }),
  });
  if (error) throw error;
}
