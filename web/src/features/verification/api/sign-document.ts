import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import { documentBucket } from "./upload-document.ts";

/** How long a link to an identity document works. Seconds. */
export const documentLinkSeconds = 60;

/**
 * Opens a document, which the database records, and makes a link that shows it for a minute. Without the record the
 * storage finds no document. Administrators only. Throws the database's or the storage's error.
 */
export async function signDocument(client: BackendClient, verificationId: string): Promise<string> {
  const opened = await client.rpc("open_verification_document", {
    verification_id: verificationId,
  });
  if (opened.error) throw opened.error;
  const { data, error } = await client.storage
    .from(documentBucket)
    .createSignedUrl(z.string().parse(opened.data), documentLinkSeconds);
  if (error) throw error;
  return data.signedUrl;
}
