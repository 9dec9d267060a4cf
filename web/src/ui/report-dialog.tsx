import { zodResolver } from "@hookform/resolvers/zod";
import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { TextArea } from "./text-field.tsx";
import { toast } from "./toast.tsx";

const schema = z.object({
  reason: z.string().check(z.trim(), z.minLength(1, "Please say what's wrong.")),
});

export interface ReportDialogProps<Subject extends { readonly id: string }> {
  /** What is reported; null while nothing is. */
  readonly subject: Subject | null;
  readonly title: ReactNode;
  /** Who will see what. */
  readonly note: string;
  readonly label?: string;
  /** The reported words. */
  readonly quote?: string | undefined;
  /** Rejects with the database's error. */
  readonly send: (subject: Subject, reason: string) => Promise<void>;
  /** What went wrong, after a sentence that says what didn't happen. */
  readonly explain: (error: unknown) => string;
  /** Said when the report was sent. */
  readonly done: string;
  readonly onClose: () => void;
}

/** Reports something to the administrators, with a reason. */
export function ReportDialog<Subject extends { readonly id: string }>(
  props: ReportDialogProps<Subject>,
) {
  const { subject, title, note, onClose } = props;
  return (
    <Dialog
      open={subject !== null}
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={title}
      description={note}
    >
      {subject === null ? null : <ReportForm {...props} key={subject.id} subject={subject} />}
    </Dialog>
  );
}

function ReportForm<Subject extends { readonly id: string }>({
  subject,
  label = "What's wrong?",
  quote,
  send,
  explain,
  done,
  onClose,
}: ReportDialogProps<Subject> & { readonly subject: Subject }) {
  const { register, handleSubmit, formState, setError } = useForm({
    defaultValues: { reason: "" },
    resolver: zodResolver(schema),
  });

  const submit = handleSubmit(async ({ reason }) => {
    try {
      await send(subject, reason);
      toast.good(done);
      onClose();
    } catch (error) {
      console.error("The report was not sent", error);
      setError("reason", { message: `We couldn't send your report. ${explain(error)}` });
    }
  });

  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
      {quote === undefined ? null : (
        <blockquote
          dir="auto"
          className="line-clamp-4 border-l-2 border-line pl-3 text-sm break-words text-muted"
        >
          {quote}
        </blockquote>
      )}
      <TextArea
        label={label}
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
