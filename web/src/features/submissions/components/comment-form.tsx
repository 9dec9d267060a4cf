import { zodResolver } from "@hookform/resolvers/zod";
import { useEffect, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { mentionedIds, MentionTextArea, type Mention } from "@/features/mentions/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { tooLongMessage } from "@/lib/required-text.ts";
import { newId } from "@/lib/uuid.ts";
import { Button } from "@/ui/button.tsx";
import { maxCommentLength } from "../model/comment.ts";
import { storedComment } from "../model/stored-comment.ts";
import { rateLimitMessage } from "../model/rate-limit-message.ts";
import type { Submission } from "../model/submission.ts";
import { submissionCommentStrings } from "../strings.ts";

const schema = z.object({
  /** Another text gets another id; the same text sent again keeps it, because it may have been stored. */
  id: z.string(),
  comment: z.string().check(
    z.trim(),
    z.superRefine((comment, context) => {
      const message = tooLongMessage(comment, maxCommentLength);
      if (message !== null) context.addIssue({ code: "custom", message });
    }),
  ),
});

const emptyComment = () => ({ id: newId(), comment: "" });

/** Adds a comment. The text stays in the field, and in this tab's storage, until it is saved. */
export function CommentForm({
  submission,
  onAdd,
}: {
  readonly submission: Pick<Submission, "id" | "title">;
  readonly onAdd: (id: string, content: string, mentioned: readonly string[]) => Promise<void>;
}) {
  const userId = useUserId();
  const [stored] = useState(() => storedComment.read(userId, submission.id));
  const { register, control, handleSubmit, getValues, setValue, reset, setError, formState } =
    useForm({
      defaultValues: stored ?? emptyComment(),
      mode: "onChange",
      resolver: zodResolver(schema),
    });
  const comment = useWatch({ control, name: "comment" });
  const content = comment.trim();
  const error = formState.errors.comment;

  const [picked, setPicked] = useState<readonly Mention[]>(stored?.picked ?? []);
  useEffect(() => {
    const draft = { id: getValues("id"), comment, picked: [...picked] };
    storedComment.keep(comment.trim() === "" ? null : draft, userId, submission.id);
  }, [comment, picked, getValues, userId, submission.id]);

  const submit = handleSubmit(async (fields) => {
    if (fields.comment === "") return;
    try {
      await onAdd(fields.id, fields.comment, mentionedIds(fields.comment, picked));
      // What was typed while the comment was on its way is the beginning of another one.
      if (getValues("comment").trim() === fields.comment) reset(emptyComment());
      else setValue("id", newId());
    } catch (reason) {
      console.error("The comment was not saved", reason);
      setError("comment", {
        type: "server",
        message: rateLimitMessage(reason) ?? submissionCommentStrings.sendFailed,
      });
    }
  });

  return (
    <form
      noValidate
      aria-label={submissionCommentStrings.form(submission.title)}
      className="grid justify-items-start gap-3"
      onSubmit={(event) => void submit(event)}
    >
      <MentionTextArea
        label={submissionCommentStrings.label}
        room={null}
        onPick={(member) => setPicked((before) => [...before, member])}
        fieldClassName="w-full"
        className="min-h-20"
        rows={2}
        error={error?.message}
        {...register("comment", { onChange: () => setValue("id", newId()) })}
      />
      <Button
        type="submit"
        variant="secondary"
        loading={formState.isSubmitting}
        disabled={content === "" || (error !== undefined && error.type !== "server")}
      >
        {submissionCommentStrings.send}
      </Button>
    </form>
  );
}
