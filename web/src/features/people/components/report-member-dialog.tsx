import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { useBackend } from "@/lib/backend.tsx";
import { Button } from "@/ui/button.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import { TextArea } from "@/ui/text-field.tsx";
import { toast } from "@/ui/toast.tsx";
import { reportMember } from "../api/member-reports.ts";
import { explainPeopleError, peopleStrings } from "../strings.ts";

const schema = z.object({
  reason: z.string().check(z.trim(), z.minLength(1, "Please say what's wrong.")),
});

interface ReportedMember {
  readonly id: string;
  readonly name: string;
}

/** Reports a member to the administrators, with a reason. */
export function ReportMemberDialog({
  member,
  onClose,
}: {
  /** Null while nobody is to be reported. */
  readonly member: ReportedMember | null;
  readonly onClose: () => void;
}) {
  return (
    <Dialog
      open={member !== null}
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Report ${member?.name ?? ""}`}
      description="Only administrators see your report and the profile as it is now. The member isn't told who reported them."
    >
      {member ? <ReportForm key={member.id} member={member} onClose={onClose} /> : null}
    </Dialog>
  );
}

function ReportForm({
  member,
  onClose,
}: {
  readonly member: ReportedMember;
  readonly onClose: () => void;
}) {
  const { client } = useBackend();
  const { register, handleSubmit, formState, setError } = useForm({
    defaultValues: { reason: "" },
    resolver: zodResolver(schema),
  });

  const submit = handleSubmit(async ({ reason }) => {
    try {
      await reportMember(client, member.id, reason);
      toast.good(peopleStrings.reportDone);
      onClose();
    } catch (error) {
      console.error("The report was not sent", error);
      setError("reason", { message: `We couldn't send your report. ${explainPeopleError(error)}` });
    }
  });

  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
      <TextArea
        label="What's wrong?"
        rows={3}
        maxLength={500}
        error={formState.errors.reason?.message}
        {...register("reason")}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" loading={formState.isSubmitting}>
          Send report
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
