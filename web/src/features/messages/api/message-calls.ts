import type { MessageCalls } from "@/features/chat/index.ts";

/** What is done with direct messages. Each throws the database's error. */
export const directCalls: MessageCalls = {
  edit: async (client, messageId, content) => {
    const { error } = await client.rpc("edit_direct_message", {
      message_id: messageId,
      new_content: content,
    });
    if (error) throw error;
  },
  remove: async (client, messageId) => {
    const { error } = await client.rpc("delete_direct_message", { message_id: messageId });
    if (error) throw error;
  },
};
