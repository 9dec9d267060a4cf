import * as z from "zod/mini";
import { toRole, type Role } from "@/domain/roles.ts";
import type { BackendClient } from "@/lib/backend-client.ts";
import { unnamedMember } from "@/domain/unnamed-member.ts";

/** A submission or a comment that members have reported, as it was then. */
export interface SubmissionReport {
  readonly id: number;
  /** Of a comment the one it stands under. */
  readonly submissionId: string;
  readonly isComment: boolean;
  readonly title: string;
  readonly content: string;
  /** It has been edited since. */
  readonly isChanged: boolean;
  readonly author: string;
  readonly role: Role;
  readonly reports: number;
  readonly reasons: readonly string[];
  /** Epoch milliseconds. */
  readonly reportedAt: number;
}

/** What can be reported. */
export interface ReportedPost {
  readonly kind: "submission" | "comment";
  readonly id: string;
  readonly excerpt: string;
}

/** Keep what was reported, or delete it. */
export type PostDecision = "keep" | "remove";

const schema = z.array(
  z.object({
    report_id: z.number(),
    submission_id: z.string(),
    comment_id: z.nullish(z.string()),
    title: z.string(),
    content: z.string(),
    is_changed: z.boolean(),
    author_name: z.nullish(z.string()),
    author_role: z.nullish(z.string()),
    reports: z.number(),
    reasons: z.array(z.string()),
    first_reported_at: z.string(),
  }),
);

/** Reports a submission or comment to the administrators. Throws the database's error. */
export async function reportFeedText(
  client: BackendClient,
  { kind, id }: ReportedPost,
  reason: string,
): Promise<void> {
  const { error } =
    kind === "comment"
      ? await client.rpc("report_comment", { comment_id: id, reason })
      : await client.rpc("report_submission", { submission_id: id, reason });
  if (error) throw error;
}

/** Reads what was reported and waits for a decision. Administrators only. Throws the database's error. */
export async function fetchSubmissionReports(
  client: BackendClient,
): Promise<readonly SubmissionReport[]> {
  const { data, error } = await client.rpc("submission_report_queue");
  if (error) throw error;
  return schema.parse(data).map((row) => ({
    id: row.report_id,
    submissionId: row.submission_id,
    isComment: Boolean(row.comment_id),
    title: row.title,
    content: row.content,
    isChanged: row.is_changed,
    author: row.author_name || unnamedMember,
    role: toRole(row.author_role),
    reports: row.reports,
    reasons: row.reasons,
    reportedAt: Date.parse(row.first_reported_at),
  }));
}

/** Decides about a reported submission or comment. Administrators only. Throws the database's error. */
export async function resolveSubmissionReport(
  client: BackendClient,
  reportId: number,
  decision: PostDecision,
): Promise<void> {
  const { error } = await client.rpc("resolve_submission_report", {
    report_id: reportId,
    decision,
  });
  if (error) throw error;
}
