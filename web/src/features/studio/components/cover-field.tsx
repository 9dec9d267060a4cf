import { useId, useRef, useState } from "react";
import { acceptedPictures } from "@/lib/picture-file.ts";
import { useOnline } from "@/lib/use-online.ts";
import { Alert } from "@/ui/alert.tsx";
import { BlobImage } from "@/ui/blob-image.tsx";
import { Button } from "@/ui/button.tsx";
import { FieldError } from "@/ui/field.tsx";
import { FileDrop } from "@/ui/file-drop.tsx";
import { draftFieldId } from "../find-draft-field.ts";
import { coverRatio } from "../model/cover-file.ts";
import type { DraftContent } from "../model/draft.ts";
import { coverTexts } from "../strings/draft.ts";
import type { ChosenCover, CoverChoice } from "../use-cover-choice.ts";
import { DraftCover } from "./draft-cover.tsx";

export interface CoverFieldProps {
  readonly content: Pick<DraftContent, "subcategoryId" | "slug" | "cover">;
  /** What is wrong with the cover the draft has. */
  readonly error: string | undefined;
  /** Kept by the editor. */
  readonly choice: CoverChoice;
  readonly onRemove: () => void;
}

/** The cover of a draft: drawn, or a picture of the mentor, cropped and previewed before it is uploaded. */
export function CoverField({ content, error, choice, onRemove }: CoverFieldProps) {
  const titleId = useId();
  const group = useRef<HTMLDivElement>(null);
  // The pressed button goes away, and the focus would go with it.
  const keepFocus = () => group.current?.focus();
  const { chosen } = choice;
  return (
    <div
      id={draftFieldId("cover")}
      ref={group}
      role="group"
      tabIndex={-1}
      aria-labelledby={titleId}
      className="grid grid-cols-1 items-start gap-x-6 gap-y-3 focus:outline-none"
    >
      <p id={titleId} className="text-sm font-medium">
        {coverTexts.title}
      </p>
      {chosen === null ? (
        <>
          <DraftCover content={content} className="aspect-video rounded-card" />
          <div className="grid grid-cols-1 gap-3">
            <FileDrop
              key={choice.turn}
              label={coverTexts.picture}
              hint={coverTexts.hint}
              accept={acceptedPictures}
              file={null}
              error={choice.refusal}
              onFile={choice.choose}
            />
            <FieldError id={`${titleId}-error`}>{error}</FieldError>
            {content.cover === null ? (
              <p className="text-sm text-muted">{coverTexts.drawn}</p>
            ) : (
              <Button
                size="sm"
                variant="secondary"
                className="justify-self-start"
                onClick={onRemove}
              >
                {coverTexts.remove}
              </Button>
            )}
          </div>
        </>
      ) : (
        <CropForm
          key={choice.turn}
          chosen={chosen}
          choice={choice}
          onUse={async () => {
            if (await choice.upload()) keepFocus();
          }}
          onCancel={() => {
            choice.close(null);
            keepFocus();
          }}
        />
      )}
    </div>
  );
}

function CropForm({
  chosen: { file, percent },
  choice: { isSending, problem, show },
  onUse,
  onCancel,
}: {
  readonly chosen: ChosenCover;
  readonly choice: CoverChoice;
  readonly onUse: () => Promise<void>;
  readonly onCancel: () => void;
}) {
  const online = useOnline();
  const positionId = useId();
  const [isCut, setCut] = useState(true);
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
              onChange={(event) => show(event.target.valueAsNumber)}
              className="h-11 w-full accent-[var(--accent)]"
            />
          </div>
        ) : (
          <p className="text-sm text-muted">{coverTexts.fits}</p>
        )}
        {problem === null ? null : <Alert tone="danger">{problem}</Alert>}
        {online ? null : <p className="text-sm text-muted">{coverTexts.offline}</p>}
        <div className="flex flex-wrap gap-3">
          <Button size="sm" loading={isSending} disabled={!online} onClick={() => void onUse()}>
            {coverTexts.use}
          </Button>
          <Button size="sm" variant="quiet" disabled={isSending} onClick={onCancel}>
            {coverTexts.cancel}
          </Button>
        </div>
      </div>
    </>
  );
}
