import { Link } from "react-router";
import { adminAuditPath } from "@/domain/paths.ts";
import { actionName, AuditChanges, type AuditEntry } from "@/features/admin-audit/index.ts";
import { exactTime, longDate } from "@/lib/format-time.ts";
import { memberAuditStrings } from "../strings.ts";
import { MemberSection } from "./member-section.tsx";

/** The newest entries of the audit log about a member. */
export function MemberAudit({
  memberId,
  entries,
}: {
  readonly memberId: string;
  readonly entries: readonly AuditEntry[];
}) {
  return (
    <MemberSection title={memberAuditStrings.title}>
      {entries.length === 0 ? (
        <p className="text-sm text-muted">{memberAuditStrings.empty}</p>
      ) : (
        <ul aria-label={memberAuditStrings.entries} className="grid gap-1 text-sm">
          {entries.map((entry) => (
            <li key={entry.id}>
              <details>
                <summary className="min-h-9 cursor-pointer content-center rounded-control">
                  {actionName(entry.action)} · {entry.actorName ?? memberAuditStrings.system}{" "}
                  <span className="text-muted" title={exactTime(entry.happenedAt)}>
                    · {longDate(entry.happenedAt)}
                  </span>
                </summary>
                <div className="py-2 pl-4">
                  <AuditChanges detail={entry.detail} />
                </div>
              </details>
            </li>
          ))}
        </ul>
      )}
      <p className="text-sm">
        <Link to={adminAuditPath(memberId)} className="underline underline-offset-2">
          {memberAuditStrings.all}
        </Link>
      </p>
    </MemberSection>
  );
}
