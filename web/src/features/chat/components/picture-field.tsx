import { X } from "lucide-react";
import { BlobImage } from "@/ui/blob-image.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { altError } from "./alt-error.ts";
import type { OutgoingPicture } from "../model/message-picture.ts";
import { chatStrings, composerStrings } from "../strings.ts";

export interface PictureFieldProps {
  /** Null while it is prepared. */
  readonly picture: OutgoingPicture | null;
  readonly onAlt: (alt: string) => void;
  readonly onRemove: () => void;
}

/** The picture of the message that is being written, with its description. */
export function PictureField({ picture, onAlt, onRemove }: PictureFieldProps) {
  return (
    <div
      role="group"
      aria-label={composerStrings.picture}
      className="relative flex items-start gap-3 rounded-control border border-line bg-sunken p-2"
    >
      {picture === null ? (
        <Skeleton className="size-20 shrink-0" />
      ) : (
        <BlobImage
          blob={picture.file}
          alt={picture.alt || chatStrings.noDescription}
          className="size-20 shrink-0 rounded-control bg-line object-cover"
        />
      )}
      {picture === null ? (
        <p role="status" className="grow py-2 text-sm text-muted">
          {composerStrings.preparingPicture}
        </p>
      ) : (
        <TextField
          label={composerStrings.pictureAlt}
          placeholder={composerStrings.pictureAltHint}
          error={altError(picture.alt)}
          autoComplete="off"
          dir="auto"
          fieldClassName="min-w-0 grow"
          value={picture.alt}
          onChange={(event) => onAlt(event.target.value)}
        />
      )}
      <button
        type="button"
        aria-label={composerStrings.removePicture}
        onClick={onRemove}
        className="-m-1 grid size-11 shrink-0 place-items-center rounded-control text-muted hover:bg-hover hover:text-ink"
      >
        <X aria-hidden className="size-4.5" />
      </button>
    </div>
  );
}
