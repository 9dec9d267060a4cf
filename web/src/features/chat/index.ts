export { ConversationPane } from "./components/conversation-pane.tsx";
export { directColumns, rowFromDirectColumns } from "./api/direct-message-row.ts";
export type { ConversationSource, MessageWatcher } from "./model/conversation-source.ts";
export type { MessageAuthor, MessageCursor, MessageRow } from "./model/message.ts";
export { typingIdFrom, typingIntervalMs, typingTimeoutMs } from "./model/people.ts";
export type { MessageCalls } from "./use-message-actions.tsx";
export { useUnreadRooms } from "./use-unread-rooms.ts";
export { SkipToMessageField } from "./components/skip-to-message-field.tsx";
export { startDraft } from "./use-room-draft.ts";
