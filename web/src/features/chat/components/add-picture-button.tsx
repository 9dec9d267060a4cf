import { ImagePlus } from "lucide-react";
import { useRef } from "react";
import { acceptedPictures } from "@/lib/picture-file.ts";
import { composerStrings } from "../strings.ts";

/** Opens the choice of a file for the message that is being written. */
export function AddPictureButton({ onFiles }: { readonly onFiles: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        aria-label={composerStrings.addPicture}
        title={composerStrings.addPicture}
        // Keeps the focus in the field, or a phone's keyboard would close.
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => input.current?.click()}
        className="grid size-11 shrink-0 place-items-center rounded-control text-muted hover:bg-hover hover:text-ink"
      >
        <ImagePlus aria-hidden className="size-5" />
      </button>
      <input
        ref={input}
        type="file"
        accept={acceptedPictures}
        aria-label={composerStrings.addPicture}
        tabIndex={-1}
        hidden
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          // So that the same file can be chosen again.
          event.target.value = "";
        }}
      />
    </>
  );
}
