import type { BackendClient } from "@/lib/backend-client.ts";
import type { MessageRow, Outgoing } from "../model/message.ts";
import { directColumns, rowFromDirectColumns } from "./direct-message-row.ts";
import { sendTimeoutMs } from "./send-message.ts";

/**
 * Sends a message to a member and answers with its row. A message of this id that an earlier attempt stored is
 * answered alike. Throws the database's error.
 */
export async function sendDirectMessage(
  client: BackendClient,
  message: Outgoing,
  recipientId: string,
): Promise<MessageRow> {
  const { data, error } = await client
    .rpc("send_direct_message", {
      message_id: message.id,
      recipient_id: recipientId,
      content: message.content,
      ...(message.quote && { parent_id: message.quote.id }),
    })
    .abortSignal(AbortSignal.timeout(sendTimeoutMs));
  if (error) throw error;
  return rowFromDirectColumns(directColumns.parse(data));
}
