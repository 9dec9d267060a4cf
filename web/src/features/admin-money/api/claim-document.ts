import type { BackendClient } from "@/lib/backend-client.ts";
import { sniffContentType, type SniffedContentType } from "@/lib/sniff-content-type.ts";

/** The document of a baseline, typed by what its bytes are. */
export interface ClaimFile {
  /** Null for anything but a picture or a PDF. */
  readonly kind: SniffedContentType | null;
  readonly bytes: Blob;
}

/** Opens the document of a claim that waits, which is recorded. Throws the function's error, or one of the network. */
export async function openClaimDocument(
  client: BackendClient,
  claimId: string,
): Promise<ClaimFile> {
  const { data, error } = await client.functions.invoke<unknown>("open-guarantee-document", {
    body: { claim_id: claimId },
  });
  if (error) throw error;
  if (!(data instanceof Blob)) throw new Error("The document has no bytes");
  const kind = await sniffContentType(data);
  return { kind, bytes: new Blob([data], { type: kind ?? "application/octet-stream" }) };
}
