import type { FileMetadata } from "@/lib/file-extension.ts";
import { documentFileIssue, documentTypes } from "../model/validate-document.ts";
import { documentTypeNames, verificationStrings } from "../strings.ts";

/** The name of a type as the database gives it; an unknown one is shown as it came. */
export function documentTypeName(type: string): string {
  const known = documentTypes.find((each) => each === type);
  return known ? documentTypeNames[known] : type;
}

/** What is wrong with a chosen file, as a sentence; null when it may be sent. */
export function documentFileError(file: FileMetadata): string | null {
  const issue = documentFileIssue(file);
  return issue === null ? null : verificationStrings[issue];
}
