import * as z from "zod/mini";
import { toRole } from "@/domain/roles.ts";
import type { MessageAuthor } from "@/features/chat/index.ts";
import { knownOr } from "@/domain/known-items.ts";
import { unnamedMember } from "@/domain/unnamed-member.ts";

const personSchema = z.object({
  id: z.string(),
  name: z.string(),
  role: z.nullish(z.string()),
  occupation: z.nullish(z.string()),
  avatar_url: z.nullish(z.string()),
});

/** A member as `describe_member` answers one. */
export function personFrom(row: z.infer<typeof personSchema>): MessageAuthor {
  return {
    id: row.id,
    name: row.name === "" ? unnamedMember : row.name,
    role: toRole(row.role),
    occupation: row.occupation ?? "",
    avatarUrl: row.avatar_url ?? null,
  };
}

/**
 * Whether one may write. `closed` says nothing about why: a block, a choice and a lapse of the other look alike. `own`: one
 * takes no messages. `blocked`: one has blocked the other.
 */
export type Door = "open" | "closed" | "own" | "blocked";

/** A conversation as its page needs it. */
export interface DirectConversation {
  /** Null until a message was written. */
  readonly id: string | null;
  readonly member: MessageAuthor;
  readonly door: Door;
  /** Epoch milliseconds. */
  readonly lastReadAt: number | null;
}

const conversationSchema = z.nullable(
  z.object({
    conversation_id: z.nullable(z.string()),
    member: personSchema,
    door: knownOr(z.enum(["open", "closed", "own", "blocked"]), "closed"),
    last_read_at: z.nullable(z.string()),
  }),
);

/** Reads what `direct_conversation` answers; null when there is no such member. */
export function conversationFrom(answer: unknown): DirectConversation | null {
  const row = conversationSchema.parse(answer);
  return (
    row && {
      id: row.conversation_id,
      member: personFrom(row.member),
      door: row.door,
      lastReadAt: row.last_read_at === null ? null : Date.parse(row.last_read_at),
    }
  );
}

/** A line of the list of conversations. */
export interface ConversationLine {
  readonly id: string;
  readonly member: MessageAuthor;
  /** As the server wrote it. */
  readonly lastMessageAtRaw: string;
  /** Epoch milliseconds. */
  readonly lastMessageAt: number;
  /** The beginning of the last message; empty when it was deleted. */
  readonly excerpt: string;
  /** The last message is one's own. */
  readonly isOwn: boolean;
  /** At most 99. */
  readonly unread: number;
}

const linesSchema = z.array(
  z.object({
    conversation_id: z.string(),
    member: personSchema,
    last_message_at: z.string(),
    excerpt: z.string(),
    is_own: z.boolean(),
    unread: z.number(),
  }),
);

/** Reads what `my_conversations` answers. */
export function linesFrom(answer: unknown): readonly ConversationLine[] {
  return linesSchema.parse(answer).map((row) => ({
    id: row.conversation_id,
    member: personFrom(row.member),
    lastMessageAtRaw: row.last_message_at,
    lastMessageAt: Date.parse(row.last_message_at),
    excerpt: row.excerpt,
    isOwn: row.is_own,
    unread: row.unread,
  }));
}
