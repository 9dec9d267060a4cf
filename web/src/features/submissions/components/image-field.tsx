import { BlobImage } from "@/ui/blob-image.tsx";
import { FileDrop } from "@/ui/file-drop.tsx";
import { acceptedImages, imageFileIssue } from "../model/validate-image.ts";
import { newSubmissionStrings, submissionStrings } from "../strings.ts";

export interface ImageChoice {
  readonly file: File | null;
  /** Why the last file was not taken. */
  readonly error: string | null;
}

export const noImage: ImageChoice = { file: null, error: null };

/** What choosing this file comes to: a file that cannot be sent is refused. */
export function imageChoice(file: File | null): ImageChoice {
  const issue = file === null ? null : imageFileIssue(file);
  return issue === null ? { file, error: null } : { file: null, error: submissionStrings[issue] };
}

/** One picture, looked at before it is sent. */
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
            {newSubmissionStrings.imageLabel}{" "}
            <span className="font-normal text-muted">{newSubmissionStrings.optional}</span>
          </>
        }
        hint={newSubmissionStrings.imageHint}
        name="image"
        accept={acceptedImages}
        file={choice.file}
        disabled={disabled}
        error={choice.error}
        onFile={(file) => onChange(imageChoice(file))}
      />
      {choice.file ? <Preview key={choice.file.name} file={choice.file} /> : null}
    </div>
  );
}

function Preview({ file }: { readonly file: File }) {
  return (
    <div className="aspect-video w-full overflow-hidden rounded-control bg-sunken">
      <BlobImage
        blob={file}
        alt={newSubmissionStrings.imageAlt}
        className="size-full object-cover"
      />
    </div>
  );
}
