import { zodResolver } from "@hookform/resolvers/zod";
import { type ClipboardEvent, useEffect, useEffectEvent, useState } from "react";
import { useController, useForm, useWatch } from "react-hook-form";
import { mentionedIds, MentionTextArea, type Mention } from "@/features/mentions/index.ts";
import { explainPactError, pactOutcomes, pactStrings } from "@/features/pacts/index.ts";
import { transferredFiles } from "@/lib/transferred-files.ts";
import { useOnline } from "@/lib/use-online.ts";
import { unreadableFileText, UnreadableFileError } from "@/lib/reencode-image.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { newSubmissionStrings, submissionStrings } from "../strings.ts";
import { draftSchema, type CompleteDraft } from "./draft-schema.ts";
import { type Draft, isIncomplete } from "../model/draft.ts";
import { rateLimitMessage } from "../model/rate-limit-message.ts";
import { pickableTypes } from "../model/submission-type.ts";
import { useNewSubmission } from "../use-new-submission.ts";
import { imageChoice, ImageField, noImage } from "./image-field.tsx";
import { TypePicker } from "./type-picker.tsx";

interface Failure {
  readonly text: string;
  /** Why, where the reason helps. */
  readonly reason: string | null;
}

/** Type, title, content and a picture. What was written survives every failure and a reload. */
export function SubmissionForm({
  pactId = null,
  onCreated,
}: {
  /** The pact whose outcome this is. */
  readonly pactId?: string | null | undefined;
  readonly onCreated: (id: string) => void;
}) {
  const { storedDraft, keep, share } = useNewSubmission(pactId);
  const [picked, setPicked] = useState<readonly Mention[]>([]);
  const [image, setImage] = useState(noImage);
  const [failure, setFailure] = useState<Failure | null>(null);
  const { register, control, handleSubmit, formState } = useForm<Draft, unknown, CompleteDraft>({
    defaultValues: storedDraft,
    resolver: zodResolver(draftSchema),
  });
  const type = useController({ control, name: "type" });
  const draft = useWatch({ control });
  const { errors, isSubmitting, isSubmitted } = formState;
  const summary =
    isSubmitted && isIncomplete({ ...storedDraft, ...draft })
      ? submissionStrings.missingFields
      : null;
  const online = useOnline();
  const reason = failure?.reason ?? (online ? null : newSubmissionStrings.offline);
  const written = useEffectEvent(keep);

  useEffect(() => {
    written({ ...storedDraft, ...draft });
  }, [storedDraft, draft]);

  const submit = handleSubmit(async (complete) => {
    setFailure(null);
    try {
      onCreated(await share(complete, image.file, mentionedIds(complete.content, picked)));
    } catch (error) {
      console.error("The submission was not created", error);
      if (error instanceof UnreadableFileError) {
        const text = unreadableFileText(error, submissionStrings.unreadableImage);
        setImage({ file: null, error: text });
      } else if (pactId === null) {
        setFailure({ text: submissionStrings.failed, reason: rateLimitMessage(error) });
      } else setFailure({ text: pactStrings.closeFailed, reason: explainPactError(error) });
    }
  });

  function onPaste(event: ClipboardEvent): void {
    const [pasted] = transferredFiles(event.clipboardData);
    if (pasted === undefined || isSubmitting) return;
    event.preventDefault();
    setImage(imageChoice(pasted));
  }

  return (
    <Card>
      <form
        noValidate
        aria-label={newSubmissionStrings.title}
        className="grid grid-cols-1 gap-6"
        onPaste={onPaste}
        onSubmit={(event) => void submit(event)}
      >
        <TypePicker
          types={pactId === null ? pickableTypes : pactOutcomes}
          value={type.field.value}
          disabled={isSubmitting}
          error={errors.type?.message}
          onChange={type.field.onChange}
          firstRef={type.field.ref}
        />
        <TextField
          label={newSubmissionStrings.titleLabel}
          autoComplete="off"
          readOnly={isSubmitting}
          error={errors.title?.message}
          {...register("title")}
        />
        <MentionTextArea
          label={newSubmissionStrings.contentLabel}
          room={null}
          onPick={(member) => setPicked((before) => [...before, member])}
          rows={8}
          className="min-h-52"
          readOnly={isSubmitting}
          error={errors.content?.message}
          {...register("content")}
        />
        <ImageField choice={image} onChange={setImage} disabled={isSubmitting} />
        {summary === null ? null : <Alert tone="danger">{summary}</Alert>}
        {failure === null ? null : (
          <Alert tone="danger">
            <p>{failure.text}</p>
            {reason === null ? null : <p>{reason}</p>}
          </Alert>
        )}
        <div>
          <Button type="submit" size="lg" loading={isSubmitting}>
            {newSubmissionStrings.submit}
          </Button>
        </div>
      </form>
    </Card>
  );
}
