import { useState, type FormEvent } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { Button } from "@/ui/button.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import { TextArea } from "@/ui/text-field.tsx";
import { toast } from "@/ui/toast.tsx";
import { reportMessage } from "../api/report-message.ts";
import { chatStrings } from "../strings.ts";
import type { ChatMessage } from "../model/message.ts";

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
  const [reason, setReason] = useState("");
  const [state, setState] = useState<"idle" | "missing" | "sending" | "failed">("idle");

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (reason.trim() === "") {
      setState("missing");
      return;
    }
    setState("sending");
    try {
      await reportMessage(client, message.id, reason.trim());
      toast.good(chatStrings.reported);
      onClose();
    } catch (error) {
      console.error("The report was not sent", error);
      setState("failed");
    }
  }

  return (
    <form className="grid gap-4" onSubmit={(event) => void send(event)}>
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
        value={reason}
        error={
          state === "missing"
            ? "Please say what's wrong."
            : state === "failed"
              ? "We couldn't send your report. Please try again."
              : undefined
        }
        onChange={(event) => {
          setReason(event.target.value);
          setState("idle");
        }}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" loading={state === "sending"}>
          Send report
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
