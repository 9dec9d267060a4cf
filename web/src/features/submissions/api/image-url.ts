import type { BackendClient } from "@/lib/backend-client.ts";
import { imageBucket } from "./upload-image.ts";

/** Where a submission's picture is: always in the product's own bucket, whatever the row says. */
export function publicImageUrl(client: BackendClient, imageUrl: string): string | null {
  const name = imageUrl.split(/[?#]/, 1)[0]?.split("/").at(-1) ?? "";
  if (name === "") return null;
  return client.storage.from(imageBucket).getPublicUrl(name).data.publicUrl;
}
