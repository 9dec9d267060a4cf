import { useEffect, useId, useRef, useState } from "react";
import { contentPictureAddress } from "@/domain/content-pictures.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { acceptedPictures, pictureFileError, pictureFileStrings } from "@/lib/picture-file.ts";
import { unreadableFileText, UnreadableFileError } from "@/lib/reencode-image.ts";
import { useOnline } from "@/lib/use-online.ts";
import { Alert } from "@/ui/alert.tsx";
import { BlobImage } from "@/ui/blob-image.tsx";
import { Button } from "@/ui/button.tsx";
import { FieldError } from "@/ui/field.tsx";
import { FileDrop } from "@/ui/file-drop.tsx";
import { storePicture } from "../api/store-picture.ts";
import { coverRatio, prepareCover } from "../model/cover-file.ts";
import type { DraftContent } from "../model/draft.ts";
import { explainContentPictureError } from "./explain-studio-error.ts";
import { coverTexts } from "../strings/draft.ts";
import { DraftCover } from "./draft-cover.tsx";

export interface CoverFieldProps {
  readonly content: Pick<DraftContent, "subcategoryId" | "slug" | "cover">;
  /** What is wrong with the cover the draft has. */
  readonly error: string | undefined;
  readonly onChange: (cover: string | null) => void;
}

/** The cover of a draft: drawn, or a picture of the mentor, cropped and previewed before it is uploaded. */
export function CoverField({ content, error, onChange }: CoverFieldProps) {
  const [file, setFile] = useState<File | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  // A new field after each picture, so that the same file can be chosen again.
  const [turn, setTurn] = useState(0);
  const titleId = useId();
  const group = useRef<HTMLDivElement>(null);

  function choose(chosen: File | null) {
    const reason = chosen === null ? null : pictureFileError(chosen);
    setRefusal(reason);
    setFile(reason === null ? chosen : null);
  }

  function close(reason: string | null) {
    setFile(null);
    setRefusal(reason);
    setTurn((before) => before + 1);
    // The pressed button goes away, and the focus would go with it.
    group.current?.focus();
  }

  return (
    <div
      ref={group}
      role="group"
      tabIndex={-1}
      aria-labelledby={titleId}
      className="grid grid-cols-1 items-start gap-x-6 gap-y-3 focus:outline-none"
    >
      <p id={titleId} className="text-sm font-medium">
        {coverTexts.title}
      </p>
      {file === null ? (
        <>
          <DraftCover content={content} className="aspect-video rounded-card" />
          <div className="grid grid-cols-1 gap-3">
            <FileDrop
              key={turn}
              label={coverTexts.picture}
              hint={coverTexts.hint}
              accept={acceptedPictures}
              file={null}
              error={refusal}
              onFile={choose}
            />
            <FieldError id={`${titleId}-error`}>{error}</FieldError>
            {content.cover === null ? (
              <p className="text-sm text-muted">{coverTexts.drawn}</p>
            ) : (
              <Button
                size="sm"
                variant="secondary"
                className="justify-self-start"
                onClick={() => onChange(null)}
              >
                {coverTexts.remove}
              </Button>
            )}
          </div>
        </>
      ) : (
        <CropForm
          key={turn}
          file={file}
          onStored={(address) => {
            close(null);
            onChange(address);
          }}
          onClose={close}
        />
      )}
    </div>
  );
}

function CropForm({
  file,
  onStored,
  onClose,
}: {
  readonly file: File;
  readonly onStored: (address: string) => void;
  /** Called with why the picture cannot be used, or null. */
  readonly onClose: (reason: string | null) => void;
}) {
  const { client } = useBackend();
  const userId = useUserId();
  const online = useOnline();
  const positionId = useId();
  const [percent, setPercent] = useState(50);
  const [isCut, setCut] = useState(true);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);

  async function upload() {
    setSending(true);
    setProblem(null);
    try {
      const cover = await prepareCover(file, percent / 100);
      const name = await storePicture(client, userId, cover);
      if (!isGone.current) onStored(contentPictureAddress(name));
    } catch (error) {
      console.error("The cover was not uploaded", error);
      if (isGone.current) return;
      if (error instanceof UnreadableFileError) {
        return onClose(unreadableFileText(error, pictureFileStrings.unreadable));
      }
      setProblem(explainContentPictureError(error));
      setSending(false);
    }
  }

  return (
    <>
      <div className="aspect-video overflow-hidden rounded-card bg-sunken">
        <BlobImage
          blob={file}
          alt={coverTexts.preview}
          className="size-full object-cover"
          style={{ objectPosition: `${percent}% ${percent}%` }}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setCut(Math.abs(naturalWidth / naturalHeight - coverRatio) > 0.01)
          }
        />
      </div>
      <div className="grid grid-cols-1 gap-4">
        {isCut ? (
          <div className="grid gap-1.5">
            <label htmlFor={positionId} className="text-sm font-medium">
              {coverTexts.crop}
            </label>
            <p id={`${positionId}-hint`} className="-mt-1 text-sm text-muted">
              {coverTexts.cropHint}
            </p>
            <input
              id={positionId}
              type="range"
              min={0}
              max={100}
              value={percent}
              disabled={isSending}
              aria-describedby={`${positionId}-hint`}
              aria-valuetext={`${percent}%`}
              onChange={(event) => setPercent(event.target.valueAsNumber)}
              className="h-11 w-full accent-[var(--accent)]"
            />
          </div>
        ) : (
          <p className="text-sm text-muted">{coverTexts.fits}</p>
        )}
        {problem === null ? null : <Alert tone="danger">{problem}</Alert>}
        {online ? null : <p className="text-sm text-muted">{coverTexts.offline}</p>}
        <div className="flex flex-wrap gap-3">
          <Button size="sm" loading={isSending} disabled={!online} onClick={() => void upload()}>
            {coverTexts.use}
          </Button>
          <Button size="sm" variant="quiet" disabled={isSending} onClick={() => onClose(null)}>
            {coverTexts.cancel}
          </Button>
        </div>
      </div>
    </>
  );
}
