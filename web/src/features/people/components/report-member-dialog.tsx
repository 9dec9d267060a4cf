import { useBackend } from "@/lib/backend.tsx";
import { ReportDialog } from "@/ui/report-dialog.tsx";
import { reportMember } from "../api/member-reports.ts";
import { explainPeopleError, peopleStrings } from "../strings.ts";

/** Reports a member to the administrators, with a reason. */
export function ReportMemberDialog({
  member,
  onClose,
}: {
  /** Null while nobody is to be reported. */
  readonly member: { readonly id: string; readonly name: string } | null;
  readonly onClose: () => void;
}) {
  const { client } = useBackend();
  return (
    <ReportDialog
      subject={member}
      title={`Report ${member?.name ?? ""}`}
      note="Only administrators see your report and the profile as it is now. The member isn't told who reported them."
      send={({ id }, reason) => reportMember(client, id, reason)}
      explain={explainPeopleError}
      done={peopleStrings.reportDone}
      onClose={onClose}
    />
  );
}
