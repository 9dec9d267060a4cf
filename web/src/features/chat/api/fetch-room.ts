import type { BackendClient } from "@/lib/backend-client.ts";
import type { Room } from "../model/room.ts";

/** Reads one room; null when there is none of this name. Throws the database's error. */
export async function fetchRoom(client: BackendClient, roomId: string): Promise<Room | null> {
  const { data, error } = await client
    .from("chat_rooms")
    .select("id, name, description, min_level_required, participant_count")
    .eq("id", roomId)
    .eq("is_active", true)
    .maybeSingle();
  if (error) throw error;
  if (!data) return null;
  return {
    id: data.id,
    name: data.name,
    description: data.description,
    minLevel: data.min_level_required,
    participants: data.participant_count,
  };
}
