import type { BackendClient } from "@/lib/backend-client.ts";
import { callProcedure } from "@/lib/call-procedure.ts";

/** Shows a message to the moderators, with a reason. Throws the database's error. */
export async function reportMessage(
  client: BackendClient,
  messageId: string,
  reason: string,
): Promise<void> {
  await callProcedure(client, "report_message", { message_id: messageId, reason });
}
