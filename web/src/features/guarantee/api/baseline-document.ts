import { mimeOf, prepareDocument } from "@/features/verification/index.ts";
import type { BackendClient } from "@/lib/backend-client.ts";
import { extensionOf } from "@/lib/file-extension.ts";

/**
 * Stores a document for the baseline. Throws the storage's error.
 * @returns the name to record with the baseline.
 * @throws {UnreadableFileError} when the file's content does not match its type.
 */
export async function uploadBaselineDocument(
  client: BackendClient,
  userId: string,
  chosen: File,
): Promise<string> {
  const file = await prepareDocument(chosen);
  const name = `${userId}-baseline-${Date.now()}.${extensionOf(file, mimeOf) ?? "pdf"}`;
  const { data, error } = await client.storage
    .from("guarantee-documents")
    .upload(name, file, { upsert: false, ...(file.type ? { contentType: file.type } : {}) });
  if (error) throw error;
  return data.path;
}
