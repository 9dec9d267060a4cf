import type { BackendClient } from "@/lib/backend-client.ts";
import { watchRows } from "@/lib/watch-rows.ts";
import type { MessageWatcher } from "../model/conversation-source.ts";
import { messageColumns, rowFromColumns } from "./message-row.ts";

/** Subscribes to inserted and updated messages of a room. The returned function unsubscribes. */
export function watchMessages(
  client: BackendClient,
  roomId: string,
  { onRow, onConnected, onLost }: MessageWatcher,
): () => void {
  return watchRows(client, {
    table: "chat_messages",
    filter: `chat_room_id=eq.${roomId}`,
    events: ["INSERT", "UPDATE"],
    onChange: ({ kind, row }) => {
      const parsed = messageColumns.safeParse(row);
      if (parsed.success) onRow(rowFromColumns(parsed.data), kind === "INSERT");
      else console.error("A live message had an unexpected shape");
    },
    onJoined: onConnected,
    onLost,
  });
}
