import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { mentionedIds, MentionTextArea, type Mention } from "@/features/mentions/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { toast } from "@/ui/toast.tsx";
import { editSchema } from "./draft-schema.ts";
import { storedEdit } from "../model/draft.ts";
import type { Submission } from "../model/submission.ts";
import { useSubmissionActions } from "../mutations.ts";
import { editSubmissionStrings, explainSubmissionError, newSubmissionStrings } from "../strings.ts";

export interface EditSubmissionDialogProps {
  readonly submission: Submission;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Changes title and text of the member's own submission. An unsaved change is there again when it is reopened. */
export function EditSubmissionDialog({
  submission,
  open,
  onOpenChange,
}: EditSubmissionDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={editSubmissionStrings.title}
      description={editSubmissionStrings.intro}
    >
      <EditSubmissionForm submission={submission} onClose={() => onOpenChange(false)} />
    </Dialog>
  );
}

function EditSubmissionForm({
  submission,
  onClose,
}: {
  readonly submission: Submission;
  readonly onClose: () => void;
}) {
  const userId = useUserId();
  const { edit } = useSubmissionActions(submission);
  const { register, handleSubmit, getValues, setError, formState } = useForm({
    defaultValues: storedEdit.read(userId, submission.id) ?? {
      title: submission.title,
      content: submission.content,
    },
    resolver: zodResolver(editSchema),
  });
  const [picked, setPicked] = useState<readonly Mention[]>([]);
  const { errors, isSubmitting } = formState;
  const keep = () => storedEdit.keep(getValues(), userId, submission.id);

  function close(): void {
    storedEdit.keep(null, userId, submission.id);
    onClose();
  }

  const submit = handleSubmit(async (text) => {
    try {
      await edit(text, mentionedIds(text.content, picked));
      toast.good(editSubmissionStrings.saved);
      close();
    } catch (error) {
      console.error("The change was not saved", error);
      const message = editSubmissionStrings.saveFailed(explainSubmissionError(error));
      setError("root", { message });
      // The window may have been closed meanwhile.
      toast.danger(message);
    }
  });

  return (
    <form noValidate className="grid grid-cols-1 gap-5" onSubmit={(event) => void submit(event)}>
      <TextField
        label={newSubmissionStrings.titleLabel}
        autoComplete="off"
        readOnly={isSubmitting}
        error={errors.title?.message}
        {...register("title", { onChange: keep })}
      />
      <MentionTextArea
        label={newSubmissionStrings.contentLabel}
        room={null}
        onPick={(member) => setPicked((before) => [...before, member])}
        rows={8}
        className="max-h-[40dvh] min-h-40"
        readOnly={isSubmitting}
        error={errors.content?.message}
        {...register("content", { onChange: keep })}
      />
      {errors.root ? <Alert tone="danger">{errors.root.message}</Alert> : null}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" loading={isSubmitting}>
          {editSubmissionStrings.save}
        </Button>
        <Button variant="quiet" disabled={isSubmitting} onClick={close}>
          {editSubmissionStrings.discard}
        </Button>
      </div>
    </form>
  );
}
