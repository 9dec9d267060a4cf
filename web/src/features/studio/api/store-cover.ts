import { contentPictureAddress, contentPictureBucket } from "@/domain/content-pictures.ts";
import type { BackendClient } from "@/lib/backend-client.ts";

/** Stores a prepared cover and answers with its address for the draft. Throws the storage's error. */
export async function storeCover(
  client: BackendClient,
  userId: string,
  file: File,
): Promise<string> {
  const { data, error } = await client.storage
    .from(contentPictureBucket)
    .upload(`${userId}-${Date.now()}.jpg`, file, { upsert: false, contentType: file.type });
  if (error) throw error;
  return contentPictureAddress(data.path);
}
