import type { BackendClient } from "./backend-client.ts";

export const pictureBucket = "profile-pictures";

/** The name of its file; null when there is none. */
export function profilePictureName(avatarUrl: string | null | undefined): string | null {
  return avatarUrl?.split(/[?#]/, 1)[0]?.split("/").at(-1) || null;
}

/** Where a profile picture is: always in the product's own bucket, whatever server the profile's URL names. */
export function profilePictureUrl(
  client: BackendClient,
  avatarUrl: string | null | undefined,
): string | null {
  const name = profilePictureName(avatarUrl);
  if (name === null) return null;
  return client.storage.from(pictureBucket).getPublicUrl(name).data.publicUrl;
}
