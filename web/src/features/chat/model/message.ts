import type { Role } from "@/domain/roles.ts";

/** Who wrote a message, as other members see them. */
export interface MessageAuthor {
  readonly id: string;
  /** Never empty. */
  readonly name: string;
  readonly role: Role;
  readonly occupation: string;
}

/** What a reply answers, as much of it as is known. */
export interface Quote {
  readonly id: string;
  readonly author: string;
  /** Empty when it was deleted or is not known here. */
  readonly content: string;
}

/** Where a message stands between this browser and the server. */
export type Delivery = "saved" | "sending" | "queued";

export interface ChatMessage {
  readonly id: string;
  readonly authorId: string;
  /** Null until it is known who that is. */
  readonly author: MessageAuthor | null;
  readonly content: string;
  readonly parentId: string | null;
  readonly quote: Quote | null;
  readonly likeCount: number;
  /** Whether the signed-in member likes it. */
  readonly liked: boolean;
  /** The server's own words for the time, exact to the microsecond; empty before it was saved. */
  readonly createdAtRaw: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** `createdAtRaw` in epoch microseconds, read once, because lists are long. */
  readonly at: number;
  /** The latest change in epoch microseconds. */
  readonly changedAt: number;
  /** The server's words for the latest change, likes included; empty before it was saved. */
  readonly changedAtRaw: string;
  readonly edited: boolean;
  readonly deleted: boolean;
  readonly delivery: Delivery;
}

/** A row as the database or the live stream gives it; what is undefined is not known from there. */
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
  readonly quote?: Quote | null | undefined;
  readonly liked?: boolean | undefined;
}

/** What one has to say, on its way to a room. */
export interface Outgoing {
  /** Made here; the server takes each id once, so a second attempt doubles nothing. */
  readonly id: string;
  readonly roomId: string;
  readonly author: MessageAuthor;
  readonly content: string;
  readonly quote: Quote | null;
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

/** The order of a room, as the database pages it: by time, then by id downwards. */
export function compareMessages(
  one: Pick<ChatMessage, "at" | "id">,
  other: Pick<ChatMessage, "at" | "id">,
): number {
  if (one.at !== other.at) return one.at - other.at;
  return one.id < other.id ? 1 : one.id > other.id ? -1 : 0;
}

/**
 * A row as a message of the list. What it does not say is taken from what was known before, and a
 * row that is older than what is known, an answer overtaken by the live stream, changes nothing
 * but what was missing.
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
    parentId: row.parentId,
    quote,
    likeCount: row.likeCount,
    liked: row.liked ?? before?.liked ?? false,
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

/** What is on its way, shown among the messages. */
export function outgoingMessage(outgoing: Outgoing, delivery: Delivery): ChatMessage {
  return {
    id: outgoing.id,
    authorId: outgoing.author.id,
    author: outgoing.author,
    content: outgoing.content,
    parentId: outgoing.quote?.id ?? null,
    quote: outgoing.quote,
    likeCount: 0,
    liked: false,
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
