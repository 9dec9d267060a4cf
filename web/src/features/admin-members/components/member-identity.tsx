import { documentTypeName } from "@/domain/document-type-name.ts";
import { longDate } from "@/lib/format-time.ts";
import { Badge } from "@/ui/badge.tsx";
import type { IdentityDetail } from "../model/member-detail.ts";
import { memberIdentityStrings } from "../strings.ts";
import { MemberSection } from "./member-section.tsx";

const stateColours = { pending: "info", approved: "good", rejected: "warn" } as const;

/** The identity documents of a member and what was decided. The files open in the queue only, where it is recorded. */
export function MemberIdentitySection({ identity }: { readonly identity: IdentityDetail }) {
  return (
    <MemberSection title={memberIdentityStrings.title}>
      {identity.is_flagged ? (
        <p className="text-sm font-medium">{memberIdentityStrings.flagged}</p>
      ) : null}
      {identity.documents.length === 0 ? (
        <p className="text-sm text-muted">{memberIdentityStrings.empty}</p>
      ) : (
        <ul className="grid gap-2 text-sm">
          {identity.documents.map((document) => (
            <li key={document.id} className="grid gap-1">
              <p className="flex flex-wrap items-center gap-2">
                <Badge colour={stateColours[document.status]}>
                  {memberIdentityStrings.states[document.status]}
                </Badge>
                <span>{documentTypeName(document.document_type)}</span>
                <span className="text-muted">
                  {longDate(Date.parse(document.reviewed_at ?? document.submitted_at))}
                </span>
              </p>
              {document.rejected_reason === null ? null : (
                <p className="wrap-anywhere text-muted">{document.rejected_reason}</p>
              )}
            </li>
          ))}
        </ul>
      )}
    </MemberSection>
  );
}
