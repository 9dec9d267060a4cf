import type { BackendClient } from "@/lib/backend-client.ts";
import { imageBucket } from "./upload-image.ts";

/** Where a submission's picture is: always in the product's own bucket, whatever the row says. */
export function publicImageUrl(client: BackendClient, imageUrl: string): string | null {
  const name = /([^/?#]+)(?:[?#].*)?$/.exec(imageUrl)?.[1];
  if (name === undefined) return null;
  return client.storage.from(imageBucket).getPublicUrl(name).data.publicUrl;
}
