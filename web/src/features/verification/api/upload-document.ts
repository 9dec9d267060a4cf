import type { BackendClient } from "@/lib/backend-client.ts";
import { documentName, type DocumentType } from "../model/validate-document.ts";
import { prepareDocument } from "../model/prepare-document.ts";

export const documentBucket = "verification-documents";

/**
 * Stores the file, then asks for its review. Throws the storage's or the database's error.
 * @throws {UnreadableFileError} when the file's content does not match its type.
 */
export async function uploadDocument(
  client: BackendClient,
  userId: string,
  documentType: DocumentType,
  chosen: File,
): Promise<void> {
  const file = await prepareDocument(chosen);
  const name = documentName(userId, Date.now(), file);
  const stored = await client.storage
    .from(documentBucket)
    .upload(name, file, { upsert: false, ...(file.type ? { contentType: file.type } : {}) });
  if (stored.error) throw stored.error;
  const { error } = await client.from("user_verifications").insert({
    user_id: userId,
    document_type: documentType,
    document_url: stored.data.path,
    status: "pending",
  });
  if (error) throw error;
}
