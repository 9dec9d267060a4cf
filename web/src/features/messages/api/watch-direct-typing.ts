import { typingIdFrom } from "@/features/chat/index.ts";
import type { BackendClient } from "@/lib/backend-client.ts";

/** Listens to who types in a conversation. The database sends every event, so nobody types as another. */
export function watchDirectTyping(
  client: BackendClient,
  conversationId: string,
  onTyping: (memberId: string) => void,
): () => void {
  const channel = client.channel(`direct:${conversationId}`, { config: { private: true } });
  channel
    .on("broadcast", { event: "typing" }, ({ payload }) => {
      const id = typingIdFrom(payload);
      if (id !== null) onTyping(id);
    })
    .subscribe();
  return () => {
    void client.removeChannel(channel);
  };
}

/** Says that the member is typing. What fails is said with the next key. */
export async function tellDirectTyping(
  client: BackendClient,
  conversationId: string,
): Promise<void> {
  await client.rpc("notify_direct_typing", { conversation_id: conversationId });
}
