import type { BackendClient } from "@/lib/backend-client.ts";

/**
 * Joins a room or renews the participation; the server counts it once. Throws the database's error.
 */
export async function joinRoom(client: BackendClient, roomId: string): Promise<void> {
  const { error } = await client.rpc("increment_participant_count", { room_id: roomId });
  if (error) throw error;
}

/** Leaves a room. Throws the database's error. */
export async function leaveRoom(client: BackendClient, roomId: string): Promise<void> {
  const { error } = await client.rpc("decrement_participant_count", { room_id: roomId });
  if (error) throw error;
}

/**
 * Leaves a room while the page closes. A `keepalive` request carries the access token, which
 * `sendBeacon` cannot. The result is unknown.
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
    // The server ends a participation that is not renewed.
  });
}
