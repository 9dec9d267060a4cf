import { longDate } from "@/lib/format-time.ts";
import { Badge } from "@/ui/badge.tsx";
import type { IdentityDetail } from "../model/member-detail.ts";
import { MemberSection } from "./member-section.tsx";

const states = {
  pending: ["Waiting", "info"],
  approved: ["Approved", "good"],
  rejected: ["Rejected", "warn"],
} as const;

/** The identity documents of a member and what was decided. The files open in the queue only, where it is recorded. */
export function MemberIdentitySection({ identity }: { readonly identity: IdentityDetail }) {
  return (
    <MemberSection title="Identity">
      {identity.is_flagged ? (
        <p className="text-sm font-medium">
          Five documents were rejected. A decision is waiting under Queues.
        </p>
      ) : null}
      {identity.documents.length === 0 ? (
        <p className="text-sm text-muted">No document sent yet.</p>
      ) : (
        <ul className="grid gap-2 text-sm">
          {identity.documents.map((document) => {
            const [label, colour] = states[document.status];
            return (
              <li key={document.id} className="grid gap-1">
                <p className="flex flex-wrap items-center gap-2">
                  <Badge colour={colour}>{label}</Badge>
                  <span>{document.document_type.replaceAll("_", " ")}</span>
                  <span className="text-muted">
                    {longDate(Date.parse(document.reviewed_at ?? document.submitted_at))}
                  </span>
                </p>
                {document.rejected_reason === null ? null : (
                  <p className="wrap-anywhere text-muted">{document.rejected_reason}</p>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </MemberSection>
  );
}
