import type { BackendClient } from "@/lib/backend-client.ts";
import { documentBucket } from "./upload-document.ts";

/** How long a link to an identity document works. Seconds. */
export const documentLinkSeconds = 60;

/** Makes a link that shows the document for a minute. Throws the storage's error. */
export async function signDocument(client: BackendClient, document: string): Promise<string> {
  const { data, error } = await client.storage
    .from(documentBucket)
    .createSignedUrl(document, documentLinkSeconds);
  if (error) throw error;
  return data.signedUrl;
}
