import type { BackendClient } from "./backend-client.ts";

export const messagePictureBucket = "message-pictures";

/** Reads the picture of a message with the caller's rights. Throws the storage's error. */
export async function downloadMessagePicture(
  client: BackendClient,
  name: string,
  signal: AbortSignal,
): Promise<Blob> {
  const { data, error } = await client.storage
    .from(messagePictureBucket)
    .download(name, {}, { signal });
  if (error) throw error;
  return data;
}
