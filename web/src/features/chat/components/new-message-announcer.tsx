import { useIsBlocked } from "@/features/people/index.ts";
import { messageExcerpt } from "@/lib/message-excerpt.ts";
import { unnamedMember } from "@/domain/unnamed-member.ts";
import type { ChatMessage } from "../model/message.ts";
import { captionOf } from "../model/message-picture.ts";
import { chatMessageStrings } from "../strings.ts";

/**
 * Announces new messages of other members to screen readers. The list itself is not a live region,
 * because it also grows while scrolling through older messages.
 */
export function NewMessageAnnouncer({
  messages,
  selfId,
  liveMessageCount,
}: {
  readonly messages: readonly ChatMessage[];
  readonly selfId: string;
  /** Number of live messages so far. Nothing is announced before the first. */
  readonly liveMessageCount: number;
}) {
  const last =
    liveMessageCount === 0 ? undefined : messages.findLast((each) => each.authorId !== selfId);
  const blocked = useIsBlocked(last?.authorId ?? "");
  return (
    <p aria-live="polite" className="sr-only">
      {last && !last.deleted && !blocked
        ? `${last.author?.name ?? unnamedMember}: ${wordsOf(last)}`
        : ""}
    </p>
  );
}

/** The text of a message and what its picture shows. */
function wordsOf(message: ChatMessage): string {
  const { picture } = message;
  const caption = captionOf(message);
  const text = messageExcerpt(caption, caption.length);
  if (picture === null) return text;
  return [text, [chatMessageStrings.picture, picture.alt].filter(Boolean).join(": ")]
    .filter(Boolean)
    .join(" ");
}
