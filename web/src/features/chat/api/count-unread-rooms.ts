import type { BackendClient } from "@/lib/backend-client.ts";

/** In how many rooms something is unread, at most 99. Throws the database's error. */
export async function countUnreadRooms(client: BackendClient): Promise<number> {
  const { data, error } = await client.rpc("unread_rooms");
  if (error) throw error;
  return data;
}
