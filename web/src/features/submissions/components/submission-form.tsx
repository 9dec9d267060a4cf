import { useState, type FormEvent } from "react";
import { UnreadableFileError } from "@/lib/reencode-image.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { TextArea, TextField } from "@/ui/text-field.tsx";
import { submissionStrings } from "../strings.ts";
import { validateDraft, summaryOf } from "../model/draft.ts";
import { rateLimitMessage } from "../model/rate-limit-message.ts";
import { useNewSubmission } from "../use-new-submission.ts";
import { ImageField, noImage } from "./image-field.tsx";
import { TypePicker } from "./type-picker.tsx";

interface Failure {
  readonly text: string;
  /** Why, where the reason helps. */
  readonly reason: string | null;
}

/** Type, title, content and a picture. What was written survives every failure and a reload. */
export function SubmissionForm({ onCreated }: { readonly onCreated: () => void }) {
  const { draft, write, share } = useNewSubmission();
  const [image, setImage] = useState(noImage);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const errors = tried ? validateDraft(draft) : {};
  const summary = tried ? summaryOf(draft) : null;

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    setTried(true);
    setFailure(null);
    if (Object.keys(validateDraft(draft)).length > 0) return;
    setBusy(true);
    try {
      await share(image.file);
      onCreated();
    } catch (error) {
      console.error("The submission was not created", error);
      if (error instanceof UnreadableFileError) {
        setImage({ file: null, error: submissionStrings.unreadableImage });
      } else setFailure({ text: submissionStrings.failed, reason: rateLimitMessage(error) });
      setBusy(false);
    }
  }

  return (
    <Card>
      <form
        noValidate
        aria-label="New submission"
        className="grid grid-cols-1 gap-6"
        onSubmit={(event) => void submit(event)}
      >
        <TypePicker
          value={draft.type}
          disabled={busy}
          error={errors.type}
          onChange={(type) => write({ ...draft, type })}
        />
        <TextField
          label="Title"
          name="title"
          autoComplete="off"
          value={draft.title}
          disabled={busy}
          error={errors.title}
          onChange={(event) => write({ ...draft, title: event.target.value })}
        />
        <TextArea
          label="Content"
          name="content"
          rows={8}
          className="min-h-52"
          value={draft.content}
          disabled={busy}
          error={errors.content}
          onChange={(event) => write({ ...draft, content: event.target.value })}
        />
        <ImageField choice={image} onChange={setImage} disabled={busy} />
        {summary === null ? null : <Alert tone="danger">{summary}</Alert>}
        {failure === null ? null : (
          <Alert tone="danger">
            <p>{failure.text}</p>
            {failure.reason === null ? null : <p>{failure.reason}</p>}
          </Alert>
        )}
        <div>
          <Button type="submit" size="lg" loading={busy}>
            Submit
          </Button>
        </div>
      </form>
    </Card>
  );
}
