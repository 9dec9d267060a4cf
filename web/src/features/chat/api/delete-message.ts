import type { BackendClient } from "@/lib/backend-client.ts";
import { callProcedure } from "@/lib/call-procedure.ts";

/** Takes the words of one's own message away for everybody. Throws the database's error. */
export async function deleteMessage(client: BackendClient, messageId: string): Promise<void> {
  await callProcedure(client, "delete_message", { message_id: messageId });
}
