import { extensionOf, type FileMetadata } from "@/lib/file-extension.ts";

export const documentTypes = ["passport", "drivers_license", "national_id"] as const;
export type DocumentType = (typeof documentTypes)[number];

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

/** Why a chosen file cannot be sent. */
export type DocumentFileIssue = "wrongType" | "tooLarge";

/** What is wrong with a chosen file, null when it may be sent. */
export function documentFileIssue(file: FileMetadata): DocumentFileIssue | null {
  if (extensionOf(file, mimeOf) === null) return "wrongType";
  return file.size > maximumDocumentSize ? "tooLarge" : null;
}

/** `<uid>-verification-<timestamp>.<ext>`, with the milliseconds of the upload. */
export function documentName(userId: string, timestamp: number, file: FileMetadata): string {
  return `${userId}-verification-${timestamp}.${extensionOf(file, mimeOf) ?? "pdf"}`;
}
