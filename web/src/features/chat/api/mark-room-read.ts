import type { BackendClient } from "@/lib/backend-client.ts";
import { callProcedure } from "@/lib/call-procedure.ts";

/** Remembers that everything up to this server time was read. Throws the database's error. */
export async function markRoomRead(
  client: BackendClient,
  roomId: string,
  upTo: string,
): Promise<void> {
  await callProcedure(client, "mark_room_read", { room_id: roomId, up_to: upTo });
}
