import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { useBackend } from "@/lib/backend.tsx";
import { Button } from "@/ui/button.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import { TextArea } from "@/ui/text-field.tsx";
import { toast } from "@/ui/toast.tsx";
import { reportMessage } from "../api/report-message.ts";
import { chatStrings } from "../strings.ts";
import type { ChatMessage } from "../model/message.ts";

const schema = z.object({
  reason: z.string().check(z.trim(), z.minLength(1, "Please say what's wrong.")),
});

/** Reports a message to the moderators, with a reason. */
export function ReportDialog({
  message,
  onClose,
}: {
  /** Null while nothing is to be reported. */
  readonly message: ChatMessage | null;
  readonly onClose: () => void;
}) {
  return (
    <Dialog
      open={message !== null}
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Report to a moderator"
      description="Only moderators see your report. The author isn't told who reported the message."
    >
      {message ? <ReportForm key={message.id} message={message} onClose={onClose} /> : null}
    </Dialog>
  );
}

function ReportForm({
  message,
  onClose,
}: {
  readonly message: ChatMessage;
  readonly onClose: () => void;
}) {
  const { client } = useBackend();
  const { register, handleSubmit, formState, setError } = useForm({
    defaultValues: { reason: "" },
    resolver: zodResolver(schema),
  });

  const submit = handleSubmit(async ({ reason }) => {
    try {
      await reportMessage(client, message.id, reason);
      toast.good(chatStrings.reported);
      onClose();
    } catch (error) {
      console.error("The report was not sent", error);
      setError("reason", { message: "We couldn't send your report. Please try again." });
    }
  });

  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
      <blockquote
        dir="auto"
        className="line-clamp-4 border-l-2 border-line pl-3 text-sm break-words text-muted"
      >
        {message.content}
      </blockquote>
      <TextArea
        label="What's wrong with this message?"
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
