import { documentTypeName } from "@/domain/document-type-name.ts";
import { FileDrop } from "@/ui/file-drop.tsx";
import { SelectField } from "@/ui/select-field.tsx";
import { documentFileError } from "./describe-document.ts";
import { acceptedDocuments, documentTypes, type DocumentType } from "../model/validate-document.ts";
import { verificationStrings } from "../strings.ts";

export interface DocumentChoice {
  readonly type: DocumentType;
  readonly file: File | null;
  /** Why the last file was not taken. */
  readonly issue: string | null;
}

export const noDocument: DocumentChoice = { type: "passport", file: null, issue: null };

export interface DocumentFieldsProps {
  readonly choice: DocumentChoice;
  readonly onChange: (choice: DocumentChoice) => void;
  readonly disabled: boolean;
}

/** What kind of document, and the file. A file that cannot be sent is refused here. */
export function DocumentFields({ choice, onChange, disabled }: DocumentFieldsProps) {
  function take(file: File | null) {
    const issue = file === null ? null : documentFileError(file);
    onChange({ ...choice, file: issue === null ? file : null, issue });
  }
  return (
    <div className="grid gap-5">
      <SelectField
        label={verificationStrings.documentType}
        name="document_type"
        value={choice.type}
        disabled={disabled}
        onChange={(event) => {
          const type = documentTypes.find((each) => each === event.target.value);
          if (type) onChange({ ...choice, type });
        }}
        options={documentTypes.map((type) => ({ value: type, label: documentTypeName(type) }))}
      />
      <FileDrop
        label={verificationStrings.document}
        hint={verificationStrings.documentHint}
        name="document"
        accept={acceptedDocuments}
        file={choice.file}
        onFile={take}
        disabled={disabled}
        error={choice.issue}
      />
    </div>
  );
}
