import type { BackendClient } from "@/lib/backend-client.ts";
import { callProcedure } from "@/lib/call-procedure.ts";

/** Replaces the words of one's own message. Throws the database's error. */
export async function editMessage(
  client: BackendClient,
  messageId: string,
  content: string,
): Promise<void> {
  await callProcedure(client, "edit_message", { message_id: messageId, new_content: content });
}
