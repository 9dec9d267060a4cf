import { Link } from "react-router";
import { adminMemberPath } from "@/domain/paths.ts";
import { reportCategoryName } from "@/domain/report-categories.ts";
import { submissionTypeName } from "@/domain/submission-type-name.ts";
import { reportKindName } from "@/features/moderation/index.ts";
import { longDate } from "@/lib/format-time.ts";
import type { ConductDetail } from "../model/member-detail.ts";
import { memberConductStrings } from "../strings.ts";
import { MemberSection } from "./member-section.tsx";

/** What a member has submitted, and the reports by and about them. */
export function MemberConductSection({ conduct }: { readonly conduct: ConductDetail }) {
  const { submissions, reports } = conduct;
  return (
    <>
      <MemberSection title={memberConductStrings.submissions(conduct.submission_count)}>
        {submissions.length === 0 ? (
          <p className="text-sm text-muted">{memberConductStrings.noSubmissions}</p>
        ) : (
          <ul className="grid gap-2 text-sm">
            {submissions.map((each) => (
              <li key={each.id}>
                <p className="wrap-anywhere">{each.title}</p>
                <p className="text-muted">
                  {submissionTypeName(each.submission_type)} ·{" "}
                  {memberConductStrings.likes(each.like_count)} ·{" "}
                  {memberConductStrings.comments(each.comment_count)} ·{" "}
                  {longDate(Date.parse(each.created_at))}
                  {each.is_featured ? memberConductStrings.featured : ""}
                </p>
              </li>
            ))}
          </ul>
        )}
      </MemberSection>
      <MemberSection
        title={memberConductStrings.reports(conduct.reports_received, conduct.reports_made)}
      >
        {reports.length === 0 ? (
          <p className="text-sm text-muted">{memberConductStrings.noReports}</p>
        ) : (
          <ul className="grid gap-3 text-sm">
            {reports.map((report) => (
              <li key={report.id} className="grid gap-1">
                <p className="wrap-anywhere">
                  <span className="font-medium">
                    {memberConductStrings.reported(report.is_about_member)}
                  </span>
                  <Link to={adminMemberPath(report.other_id)} className="underline">
                    {report.other_name ?? memberConductStrings.deletedAccount}
                  </Link>
                  {": "}
                  {[reportCategoryName(report.category), report.reason].filter(Boolean).join(" · ")}
                </p>
                {report.content === "" ? null : (
                  <blockquote className="border-l-2 border-line pl-3 wrap-anywhere text-muted">
                    {report.content}
                  </blockquote>
                )}
                <p className="text-muted">
                  {report.room ?? reportKindName(report.kind)} ·{" "}
                  {longDate(Date.parse(report.created_at))} ·{" "}
                  {report.decision === null
                    ? memberConductStrings.waiting
                    : memberConductStrings.decisionNames[report.decision]}
                </p>
              </li>
            ))}
          </ul>
        )}
      </MemberSection>
    </>
  );
}
