import type { FileMetadata } from "@/lib/file-extension.ts";
import { documentFileIssue } from "../model/validate-document.ts";
import { verificationStrings } from "../strings.ts";

/** What is wrong with a chosen file, as a sentence; null when it may be sent. */
export function documentFileError(file: FileMetadata): string | null {
  const issue = documentFileIssue(file);
  return issue === null ? null : verificationStrings[issue];
}
