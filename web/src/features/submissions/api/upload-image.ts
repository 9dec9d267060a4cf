import type { BackendClient } from "@/lib/backend-client.ts";
import { imageName, imageType } from "../model/validate-image.ts";

export const imageBucket = "learning-images";

/** Stores a picture and answers with its public address. Throws the storage's error. */
export async function uploadImage(
  client: BackendClient,
  userId: string,
  file: File,
): Promise<string> {
  const bucket = client.storage.from(imageBucket);
  const stored = await bucket.upload(imageName(userId, Date.now(), file), file, {
    upsert: false,
    contentType: imageType(file),
  });
  if (stored.error) throw stored.error;
  return bucket.getPublicUrl(stored.data.path).data.publicUrl;
}
