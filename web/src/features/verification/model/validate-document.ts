import { extensionOf, type FileMetadata } from "@/lib/file-extension.ts";
import { documentTypeNames, verificationStrings } from "../strings.ts";

export const documentTypes = ["passport", "drivers_license", "national_id"] as const;
export type DocumentType = (typeof documentTypes)[number];

/** The name of a type as the database gives it; an unknown one is shown as it came. */
export function documentTypeName(type: string): string {
  const known = documentTypes.find((each) => each === type);
  return known ? documentTypeNames[known] : type;
}

/** Bytes. */
export const maximumDocumentSize = 10 * 1024 * 1024;
export const acceptedDocuments = ".jpg,.jpeg,.png,.pdf,image/jpeg,image/png,application/pdf";

/** Type of each ending that may be sent. */
export const mimeOf = {
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  png: "image/png",
  pdf: "application/pdf",
} as const;

/** What is wrong with a chosen file, null when it may be sent. */
export function documentFileError(file: FileMetadata): string | null {
  if (extensionOf(file, mimeOf) === null) return verificationStrings.wrongType;
  return file.size > maximumDocumentSize ? verificationStrings.tooLarge : null;
}

/** `<uid>-verification-<timestamp>.<ext>`, with the milliseconds of the upload. */
export function documentName(userId: string, timestamp: number, file: FileMetadata): string {
  return `${userId}-verification-${timestamp}.${extensionOf(file, mimeOf) ?? "pdf"}`;
}
