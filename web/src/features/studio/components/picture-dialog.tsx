import { useEffect, useRef, useState } from "react";
import {
  maxPictureDescription,
  pictureDescription,
  type TextPicture,
} from "@/domain/content-pictures.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { acceptedPictures, pictureFileError, pictureFileStrings } from "@/lib/picture-file.ts";
import { unreadableFileText, UnreadableFileError } from "@/lib/reencode-image.ts";
import { useOnline } from "@/lib/use-online.ts";
import { Alert } from "@/ui/alert.tsx";
import { BlobImage } from "@/ui/blob-image.tsx";
import { Button } from "@/ui/button.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import { FileDrop } from "@/ui/file-drop.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { storePicture } from "../api/store-picture.ts";
import { explainContentPictureError } from "./explain-studio-error.ts";
import { prepareTextPicture } from "../model/text-picture.ts";
import { textPictureTexts } from "../strings/text-editor.ts";

type Stored = (picture: TextPicture, description: string) => void;

/** Chooses and describes pictures for a text, one after the other. Each is uploaded when it is inserted, drawn anew. */
export function PictureDialog({
  pictures,
  onStored,
  onClose,
}: {
  /** What was pasted or dropped; null stands for a picture that is still to be chosen. */
  readonly pictures: readonly (File | null)[];
  readonly onStored: Stored;
  /** After the last picture, or when no more are wanted. */
  readonly onClose: () => void;
}) {
  const [place, setPlace] = useState(0);
  const more = pictures.length - place - 1;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={textPictureTexts.title}
      description={more === 0 ? undefined : textPictureTexts.more(more)}
    >
      <PictureForm
        key={place}
        first={pictures[place] ?? null}
        follows={place > 0}
        onStored={(picture, description) => {
          onStored(picture, description);
          if (more === 0) onClose();
          else setPlace(place + 1);
        }}
        onCancel={onClose}
      />
    </Dialog>
  );
}

function PictureForm({
  first,
  follows,
  onStored,
  onCancel,
}: {
  readonly first: File | null;
  /** It comes after another one, in the same window: writing goes on where it was. */
  readonly follows: boolean;
  readonly onStored: Stored;
  readonly onCancel: () => void;
}) {
  const { client } = useBackend();
  const userId = useUserId();
  const online = useOnline();
  const firstError = first === null ? null : pictureFileError(first);
  const [file, setFile] = useState(firstError === null ? first : null);
  const [fileIssue, setFileIssue] = useState(firstError);
  const [description, setDescription] = useState("");
  const [isAsked, setAsked] = useState(false);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (follows) field.current?.focus();
  }, [follows]);
  const written = pictureDescription(description);

  function choose(chosen: File | null) {
    const issue = chosen === null ? null : pictureFileError(chosen);
    setFileIssue(issue);
    setFile(issue === null ? chosen : null);
  }

  async function insert() {
    setAsked(true);
    if (file === null) setFileIssue(pictureFileStrings.wrongKind);
    if (file === null || written === "" || isSending) return;
    setSending(true);
    setProblem(null);
    try {
      const { file: redrawn, width, height } = await prepareTextPicture(file);
      const name = await storePicture(client, userId, redrawn);
      if (!isGone.current) onStored({ name, size: { width, height } }, written);
    } catch (error) {
      console.error("The picture was not uploaded", error);
      if (isGone.current) return;
      const isUnreadable = error instanceof UnreadableFileError;
      const text = unreadableFileText(error, pictureFileStrings.unreadable);
      setProblem(isUnreadable ? text : explainContentPictureError(error));
      setSending(false);
    }
  }

  return (
    <form
      className="grid grid-cols-1 gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // The dialog stands inside the page of the draft, whose forms are not meant.
        event.stopPropagation();
        void insert();
      }}
    >
      {file === null ? null : (
        <BlobImage
          blob={file}
          alt={textPictureTexts.preview}
          className="max-h-64 max-w-full justify-self-start rounded-control bg-sunken object-contain"
        />
      )}
      <FileDrop
        label={textPictureTexts.file}
        hint={textPictureTexts.hint}
        accept={acceptedPictures}
        file={file}
        error={fileIssue}
        disabled={isSending}
        onFile={choose}
      />
      <TextField
        ref={field}
        label={textPictureTexts.description}
        hint={textPictureTexts.descriptionHint}
        maxLength={maxPictureDescription}
        value={description}
        error={isAsked && written === "" ? textPictureTexts.descriptionMissing : undefined}
        onChange={(event) => setDescription(event.target.value)}
      />
      {problem === null ? null : <Alert tone="danger">{problem}</Alert>}
      {online ? null : <p className="text-sm text-muted">{textPictureTexts.offline}</p>}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" loading={isSending} disabled={!online}>
          {textPictureTexts.insert}
        </Button>
        <Button type="button" variant="quiet" onClick={onCancel}>
          {textPictureTexts.cancel}
        </Button>
      </div>
    </form>
  );
}
