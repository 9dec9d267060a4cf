import { contentPictureBucket } from "@/domain/content-pictures.ts";
import type { BackendClient } from "@/lib/backend-client.ts";

/** Stores a redrawn picture among the caller's own; its name in the bucket. Throws the storage's error. */
export async function storePicture(
  client: BackendClient,
  userId: string,
  file: File,
): Promise<string> {
  const ending = file.type === "image/png" ? "png" : "jpg";
  const { data, error } = await client.storage
    .from(contentPictureBucket)
    .upload(`${userId}-${Date.now()}.${ending}`, file, { upsert: false, contentType: file.type });
  if (error) throw error;
  return data.path;
}
