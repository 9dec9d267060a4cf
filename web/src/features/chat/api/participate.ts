import type { BackendClient } from "@/lib/backend-client.ts";

/** Takes or renews one's place in a room; the server counts it once. Throws the database's error. */
export async function joinRoom(client: BackendClient, roomId: string): Promise<void> {
  const { error } = await client.rpc("increment_participant_count", { room_id: roomId });
  if (error) throw error;
}

/** Gives one's place up. Throws the database's error. */
export async function leaveRoom(client: BackendClient, roomId: string): Promise<void> {
  const { error } = await client.rpc("decrement_participant_count", { room_id: roomId });
  if (error) throw error;
}

/**
 * Gives one's place up while the page closes: a request that outlives it, with the member's own
 * token, which the browser's beacon could not carry. Nobody can hear whether it worked.
 */
export function leaveByBeacon(
  backend: { readonly supabaseUrl: string; readonly supabaseAnonKey: string },
  accessToken: string,
  roomId: string,
): void {
  fetch(`${backend.supabaseUrl}/functions/v1/decrement-participant-count`, {
    method: "POST",
    keepalive: true,
    headers: {
      apikey: backend.supabaseAnonKey,
      authorization: `Bearer ${accessToken}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ room_id: roomId }),
  }).catch(() => {
    /* The place ends by itself when it is not renewed. */
  });
}
