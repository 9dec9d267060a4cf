import type { ChatMessage } from "../model/message.ts";

/**
 * Reads out what others say. The list itself is silent: it also grows when one scrolls, and nobody
 * wants last month read to them.
 */
export function NewMessageAnnouncer({
  messages,
  selfId,
  liveMessageCount,
}: {
  readonly messages: readonly ChatMessage[];
  readonly selfId: string;
  /** Live messages so far; nothing is read out before the first. */
  readonly liveMessageCount: number;
}) {
  const last =
    liveMessageCount === 0 ? undefined : messages.findLast((each) => each.authorId !== selfId);
  return (
    <p aria-live="polite" className="sr-only">
      {last && !last.deleted ? `${last.author?.name ?? "A member"}: ${last.content}` : ""}
    </p>
  );
}
