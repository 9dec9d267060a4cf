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
      title={peopleStrings.reportTitle(member?.name ?? "")}
      note={peopleStrings.reportNote}
      send={({ id }, reason) => reportMember(client, id, reason)}
      explain={explainPeopleError}
      done={peopleStrings.reportDone}
      onClose={onClose}
    />
  );
}
