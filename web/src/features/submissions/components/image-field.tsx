import { BlobImage } from "@/ui/blob-image.tsx";
import { FileDrop } from "@/ui/file-drop.tsx";
import { acceptedImages, imageFileError } from "../model/validate-image.ts";

export interface ImageChoice {
  readonly file: File | null;
  /** Why the last file was not taken. */
  readonly error: string | null;
}

export const noImage: ImageChoice = { file: null, error: null };

/** One picture, looked at before it is sent. A file that cannot be sent is refused here. */
export function ImageField({
  choice,
  onChange,
  disabled,
}: {
  readonly choice: ImageChoice;
  readonly onChange: (choice: ImageChoice) => void;
  readonly disabled: boolean;
}) {
  return (
    <div className="grid grid-cols-1 gap-3">
      <FileDrop
        label={
          <>
            Image <span className="font-normal text-muted">(optional)</span>
          </>
        }
        hint="JPG or PNG, under 5 MB. It's cropped to 16:9 in the feed."
        name="image"
        accept={acceptedImages}
        file={choice.file}
        disabled={disabled}
        error={choice.error}
        onFile={(file) => {
          const error = file === null ? null : imageFileError(file);
          onChange({ file: error === null ? file : null, error });
        }}
      />
      {choice.file ? <Preview key={choice.file.name} file={choice.file} /> : null}
    </div>
  );
}

function Preview({ file }: { readonly file: File }) {
  return (
    <div className="aspect-video w-full overflow-hidden rounded-control bg-sunken">
      <BlobImage blob={file} alt="Preview of your upload" className="size-full object-cover" />
    </div>
  );
}
