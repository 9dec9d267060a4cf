import type { BackendClient } from "@/lib/backend-client.ts";
import type { BellItem } from "../model/bell-page.ts";

/** Marks everything up to a line as read, or that line only. Throws the database's error. */
export async function markBellRead(
  client: BackendClient,
  upTo: BellItem,
  only: boolean,
): Promise<void> {
  const { error } = await client.rpc("mark_notifications_read", {
    up_to: upTo.created_at,
    ...(only ? { notification_id: upTo.id } : {}),
  });
  if (error) throw error;
}
