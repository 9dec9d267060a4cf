import type { Role } from "@/domain/roles.ts";
import type { Mention } from "@/features/mentions/index.ts";
import { withKnownFile, type MessagePicture, type OutgoingPicture } from "./message-picture.ts";
import type { Reaction, ReactionCounts } from "./reactions.ts";

/** The author of a message, with the columns other members may read. */
export interface MessageAuthor {
  readonly id: string;
  /** Never empty. */
  readonly name: string;
  readonly role: Role;
  readonly occupation: string;
  /** Of the profile picture. */
  readonly avatarUrl: string | null;
}

/** The message a reply refers to, as far as it is known. */
export interface Quote {
  readonly id: string;
  readonly author: string;
  /** Empty when the message was deleted or is not loaded. */
  readonly content: string;
}

/** Whether the server has stored a message, is being sent it, or gets it later. */
export type Delivery = "saved" | "sending" | "queued";

export interface ChatMessage {
  readonly id: string;
  readonly authorId: string;
  /** Null until the profile is loaded. */
  readonly author: MessageAuthor | null;
  readonly content: string;
  readonly picture: MessagePicture | null;
  readonly parentId: string | null;
  readonly quote: Quote | null;
  readonly likeCount: number;
  /** Whether the signed-in member likes it. */
  readonly liked: boolean;
  readonly reactionCounts: ReactionCounts;
  /** Those the signed-in member gave. */
  readonly myReactions: readonly Reaction[];
  /** `created_at` as the server wrote it, with microseconds; empty until the message is saved. */
  readonly createdAtRaw: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** `createdAtRaw` in epoch microseconds, parsed once because lists are long. */
  readonly at: number;
  /** `changedAtRaw` in epoch microseconds. */
  readonly changedAt: number;
  /** Time of the latest change, likes included, as the server wrote it; empty until saved. */
  readonly changedAtRaw: string;
  readonly edited: boolean;
  readonly deleted: boolean;
  readonly delivery: Delivery;
}

/** A row from a query or the live subscription. Undefined fields were not part of the answer. */
export interface MessageRow {
  readonly id: string;
  readonly authorId: string;
  readonly content: string;
  readonly parentId: string | null;
  readonly likeCount: number;
  readonly createdAtRaw: string;
  readonly changedAtRaw: string;
  readonly edited: boolean;
  readonly deleted: boolean;
  readonly author?: MessageAuthor | undefined;
  readonly picture?: MessagePicture | null | undefined;
  readonly quote?: Quote | null | undefined;
  readonly liked?: boolean | undefined;
  readonly reactionCounts?: ReactionCounts | undefined;
  readonly myReactions?: readonly Reaction[] | undefined;
}

/** The position of a message in the history of its room. */
export interface MessageCursor {
  readonly createdAtRaw: string;
  readonly id: string;
}

/** A message that is being sent. */
export interface Outgoing {
  /** Generated in the browser. The server stores each id once, so retries create no duplicates. */
  readonly id: string;
  /** The room, or the member it is for. */
  readonly roomId: string;
  /** Set when it is for one member alone. */
  readonly recipientId?: string;
  readonly author: MessageAuthor;
  /** May be empty beside a picture. */
  readonly content: string;
  readonly picture?: OutgoingPicture;
  readonly quote: Quote | null;
  /** The members picked for it. */
  readonly mentions?: readonly Mention[];
  /** Epoch milliseconds. */
  readonly writtenAt: number;
}

/**
 * Epoch microseconds of a timestamp as Postgres writes it. Milliseconds would not do: two
 * messages of the same millisecond would lose their order.
 */
export function microsecondsOf(createdAtRaw: string): number {
  const fraction = /\.(\d+)/.exec(createdAtRaw)?.[1] ?? "";
  const whole = Date.parse(createdAtRaw.replace(/\.\d+/, "").replace(" ", "T"));
  return whole * 1000 + Number(fraction.padEnd(6, "0").slice(0, 6) || "0");
}

/** Sorts like the database's pages: by time ascending, then by id descending. */
export function compareMessages(
  one: Pick<ChatMessage, "at" | "id">,
  other: Pick<ChatMessage, "at" | "id">,
): number {
  if (one.at !== other.at) return one.at - other.at;
  return one.id < other.id ? 1 : one.id > other.id ? -1 : 0;
}

/**
 * Merges a row into a message of the list. Undefined fields keep their known values. A row older
 * than the known state only fills in a missing author and quote.
 */
export function toMessage(row: MessageRow, before?: ChatMessage): ChatMessage {
  const author = row.author ?? before?.author ?? null;
  const quote = row.quote ?? before?.quote ?? null;
  const at = microsecondsOf(row.createdAtRaw);
  const changedAt = microsecondsOf(row.changedAtRaw);
  if (before && changedAt < before.changedAt) {
    return { ...before, author: before.author ?? author, quote: before.quote ?? quote };
  }
  return {
    id: row.id,
    authorId: row.authorId,
    author,
    content: row.content,
    picture: withKnownFile(row.picture, before?.picture ?? null),
    parentId: row.parentId,
    quote,
    likeCount: row.likeCount,
    liked: row.liked ?? before?.liked ?? false,
    reactionCounts: row.reactionCounts ?? before?.reactionCounts ?? {},
    myReactions: row.myReactions ?? before?.myReactions ?? [],
    createdAtRaw: row.createdAtRaw,
    createdAt: Math.floor(at / 1000),
    at,
    changedAt,
    changedAtRaw: row.changedAtRaw,
    edited: row.edited,
    deleted: row.deleted,
    delivery: "saved",
  };
}

/** Turns an outgoing message into one the list can show. */
export function outgoingMessage(outgoing: Outgoing, delivery: Delivery): ChatMessage {
  return {
    id: outgoing.id,
    authorId: outgoing.author.id,
    author: outgoing.author,
    content: outgoing.content,
    picture: outgoing.picture ? { name: null, ...outgoing.picture } : null,
    parentId: outgoing.quote?.id ?? null,
    quote: outgoing.quote,
    likeCount: 0,
    liked: false,
    reactionCounts: {},
    myReactions: [],
    createdAtRaw: "",
    createdAt: outgoing.writtenAt,
    at: outgoing.writtenAt * 1000,
    changedAt: 0,
    changedAtRaw: "",
    edited: false,
    deleted: false,
    delivery,
  };
}
