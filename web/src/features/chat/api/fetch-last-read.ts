import type { BackendClient } from "@/lib/backend-client.ts";

/**
 * When the member last read the room, epoch milliseconds; null when never. Throws the database's
 * error.
 */
export async function fetchLastRead(
  client: BackendClient,
  userId: string,
  roomId: string,
): Promise<number | null> {
  const { data, error } = await client
    .from("chat_room_reads")
    .select("last_read_at")
    .eq("user_id", userId)
    .eq("chat_room_id", roomId)
    .maybeSingle();
  if (error) throw error;
  return data ? Date.parse(data.last_read_at) : null;
}
