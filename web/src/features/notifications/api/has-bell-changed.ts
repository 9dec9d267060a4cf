import type { BackendClient } from "@/lib/backend-client.ts";

/** Whether a notification came or was read after a moment of the server. Throws the database's error. */
export async function hasBellChanged(
  client: BackendClient,
  userId: string,
  since: string,
): Promise<boolean> {
  const { data, error } = await client
    .from("notifications")
    .select("id")
    .eq("user_id", userId)
    .or(`created_at.gt."${since}",read_at.gt."${since}"`)
    .limit(1);
  if (error) throw error;
  return data.length > 0;
}
