import { contentPictureBucket, contentPictureName } from "@/domain/content-pictures.ts";
import type { BackendClient } from "./backend-client.ts";

/** Where an uploaded picture of an article or a course is: always in the product's own bucket. Null for other addresses. */
export function contentPictureUrl(client: BackendClient, address: string | null): string | null {
  const name = contentPictureName(address);
  if (name === null) return null;
  return client.storage.from(contentPictureBucket).getPublicUrl(name).data.publicUrl;
}
