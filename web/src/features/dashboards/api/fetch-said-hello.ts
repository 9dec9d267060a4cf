import type { BackendClient } from "@/lib/backend-client.ts";

/** The room that new members are welcomed in. */
export const firstRoomId = "general";

/** Whether the member has written in the first room. Throws the database's error. */
export async function fetchSaidHello(client: BackendClient, userId: string): Promise<boolean> {
  const { data, error } = await client
    .from("chat_messages")
    .select("id")
    .eq("user_id", userId)
    .eq("chat_room_id", firstRoomId)
    .limit(1);
  if (error) throw error;
  return data.length > 0;
}
