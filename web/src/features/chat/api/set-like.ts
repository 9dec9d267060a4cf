import type { BackendClient } from "@/lib/backend-client.ts";
import { uniqueViolation } from "@/lib/error-codes.ts";

/** Likes or unlikes a message; repeating it is no error. Throws the database's error. */
export async function setLike(
  client: BackendClient,
  userId: string,
  messageId: string,
  liked: boolean,
): Promise<void> {
  const likes = client.from("message_likes");
  const { error } = liked
    ? await likes.insert({ user_id: userId, message_id: messageId })
    : await likes.delete().eq("user_id", userId).eq("message_id", messageId);
  if (error && error.code !== uniqueViolation) throw error;
}
