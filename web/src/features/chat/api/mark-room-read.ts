import type { BackendClient } from "@/lib/backend-client.ts";

/** Saves that everything up to this server time was read. Throws the database's error. */
export async function markRoomRead(
  client: BackendClient,
  roomId: string,
  upTo: string,
): Promise<void> {
  const { error } = await client.rpc("mark_room_read", { room_id: roomId, up_to: upTo });
  if (error) throw error;
}
