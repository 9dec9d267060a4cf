import { Link } from "react-router";
import { adminMemberPath } from "@/domain/paths.ts";
import { submissionTypeName } from "@/domain/submission-type-name.ts";
import { pluralise } from "@/lib/format-count.ts";
import { longDate } from "@/lib/format-time.ts";
import type { ConductDetail } from "../model/member-detail.ts";
import { MemberSection } from "./member-section.tsx";

const decisions = { keep: "Kept", remove: "Removed" } as const;

/** What a member has submitted, and the reports by and about them. */
export function MemberConductSection({ conduct }: { readonly conduct: ConductDetail }) {
  const { submissions, reports } = conduct;
  return (
    <>
      <MemberSection title={`Submissions · ${conduct.submission_count}`}>
        {submissions.length === 0 ? (
          <p className="text-sm text-muted">Nothing submitted yet.</p>
        ) : (
          <ul className="grid gap-2 text-sm">
            {submissions.map((each) => (
              <li key={each.id}>
                <p className="wrap-anywhere">{each.title}</p>
                <p className="text-muted">
                  {submissionTypeName(each.submission_type)} · {pluralise(each.like_count, "like")}{" "}
                  · {pluralise(each.comment_count, "comment")} ·{" "}
                  {longDate(Date.parse(each.created_at))}
                  {each.is_featured ? " · Featured" : ""}
                </p>
              </li>
            ))}
          </ul>
        )}
      </MemberSection>
      <MemberSection
        title={`Reports · ${conduct.reports_received} about, ${conduct.reports_made} by this member`}
      >
        {reports.length === 0 ? (
          <p className="text-sm text-muted">No reports.</p>
        ) : (
          <ul className="grid gap-3 text-sm">
            {reports.map((report) => (
              <li key={report.id} className="grid gap-1">
                <p className="wrap-anywhere">
                  <span className="font-medium">
                    {report.is_about_member ? "Reported by " : "Reported "}
                  </span>
                  <Link to={adminMemberPath(report.other_id)} className="underline">
                    {report.other_name ?? "a deleted account"}
                  </Link>
                  : {report.reason}
                </p>
                <blockquote className="border-l-2 border-line pl-3 wrap-anywhere text-muted">
                  {report.content}
                </blockquote>
                <p className="text-muted">
                  {report.room} · {longDate(Date.parse(report.created_at))} ·{" "}
                  {report.decision === null ? "Waiting" : decisions[report.decision]}
                </p>
              </li>
            ))}
          </ul>
        )}
      </MemberSection>
    </>
  );
}
