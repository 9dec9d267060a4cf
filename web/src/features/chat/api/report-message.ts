import type { BackendClient } from "@/lib/backend-client.ts";

/** Reports a message to the administrators, with a reason. Throws the database's error. */
export async function reportMessage(
  client: BackendClient,
  messageId: string,
  reason: string,
): Promise<void> {
  const { error } = await client.rpc("report_message", { message_id: messageId, reason });
  if (error) throw error;
}
