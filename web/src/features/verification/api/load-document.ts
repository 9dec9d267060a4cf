import type { BackendClient } from "@/lib/backend-client.ts";
import { sniffContentType, type SniffedContentType } from "@/lib/sniff-content-type.ts";

/** The very bytes a reviewer sees. */
export interface LoadedDocument {
  /** Typed by what the bytes are; null for anything but a picture or a PDF. */
  readonly kind: SniffedContentType | null;
  readonly bytes: Blob;
  /** Of these bytes, in hex; null where the page was not opened securely. */
  readonly sha256: string | null;
}

/** `crypto.subtle` is missing on pages that were not opened securely, whatever the types say. */
async function sha256Of(blob: Blob): Promise<string | null> {
  const subtle = (globalThis.crypto as Partial<Crypto> | undefined)?.subtle;
  if (subtle === undefined) return null;
  const digest = await subtle.digest("SHA-256", await blob.arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Opens a document, which is recorded, and reads its bytes. What it is called is not trusted: the bytes decide how it is
 * shown. Administrators only. Throws the function's error, or one of the network.
 */
export async function loadDocument(
  client: BackendClient,
  verificationId: string,
): Promise<LoadedDocument> {
  const { data, error } = await client.functions.invoke<unknown>("open-verification-document", {
    body: { verification_id: verificationId },
  });
  if (error) throw error;
  if (!(data instanceof Blob)) throw new Error("The document has no bytes");
  const received = data;
  const kind = await sniffContentType(received);
  const bytes = new Blob([received], { type: kind ?? "application/octet-stream" });
  return { kind, bytes, sha256: await sha256Of(bytes) };
}
