import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { useBackend } from "@/lib/backend.tsx";
import { Button } from "@/ui/button.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import { TextArea } from "@/ui/text-field.tsx";
import { toast } from "@/ui/toast.tsx";
import { sendReport } from "../api/reports.ts";
import type { ReportSubject } from "../model/report.ts";
import { explainReportError, reportDialogStrings, stringsOfKind } from "../strings.ts";

const schema = z.object({
  reason: z.string().check(z.trim(), z.minLength(1, reportDialogStrings.reasonMissing)),
});

interface ReportDialogProps {
  /** What is reported; null while nothing is. */
  readonly subject: ReportSubject | null;
  readonly onClose: () => void;
}

/** Reports something of another member to the administrators, with a reason. */
export function ReportDialog({ subject, onClose }: ReportDialogProps) {
  const texts = subject && stringsOfKind(subject.kind);
  return (
    <Dialog
      open={subject !== null}
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={texts?.title(subject?.name ?? "") ?? ""}
      description={texts?.note ?? ""}
    >
      {subject === null ? null : (
        <ReportForm key={subject.id} subject={subject} onClose={onClose} />
      )}
    </Dialog>
  );
}

function ReportForm({ subject, onClose }: ReportDialogProps & { readonly subject: ReportSubject }) {
  const { client } = useBackend();
  const { register, handleSubmit, formState, setError } = useForm({
    defaultValues: { reason: "" },
    resolver: zodResolver(schema),
  });

  const submit = handleSubmit(async ({ reason }) => {
    try {
      await sendReport(client, subject, reason);
      toast.good(reportDialogStrings.sent);
      onClose();
    } catch (error) {
      console.error("The report was not sent", error);
      setError("reason", { message: reportDialogStrings.notSent(explainReportError(error)) });
    }
  });

  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
      {subject.quote === undefined ? null : (
        <blockquote
          dir="auto"
          className="line-clamp-4 border-l-2 border-line pl-3 text-sm break-words text-muted"
        >
          {subject.quote}
        </blockquote>
      )}
      <TextArea
        label={stringsOfKind(subject.kind).label}
        rows={3}
        maxLength={500}
        error={formState.errors.reason?.message}
        {...register("reason")}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" loading={formState.isSubmitting}>
          {reportDialogStrings.send}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          {reportDialogStrings.cancel}
        </Button>
      </div>
    </form>
  );
}
