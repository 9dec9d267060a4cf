import type { BackendClient } from "@/lib/backend-client.ts";
import { pictureBucket } from "@/lib/profile-picture-url.ts";
import { pictureName } from "../model/picture-file.ts";

/** Stores a prepared picture and returns its name. Throws the storage's error. */
export async function uploadPicture(
  client: BackendClient,
  userId: string,
  file: File,
): Promise<string> {
  const stored = await client.storage
    .from(pictureBucket)
    .upload(pictureName(userId, Date.now()), file, { upsert: false, contentType: file.type });
  if (stored.error) throw stored.error;
  return stored.data.path;
}

/**
 * Shows an uploaded picture on the member's profile, null none, and deletes the former one. Throws the database's error. A
 * former picture that was not deleted is only logged: the server deletes unused pictures every hour.
 */
export async function setPicture(client: BackendClient, name: string | null): Promise<void> {
  const { data: former, error } = await client.rpc("set_my_picture", name === null ? {} : { name });
  if (error) throw error;
  // Null when there was none, whatever the generated type says.
  if (typeof former !== "string") return;
  const removed = await client.storage.from(pictureBucket).remove([former]);
  if (removed.error) console.error("The former picture was not deleted", removed.error);
}
