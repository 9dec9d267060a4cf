import type { ChatMessage } from "./message.ts";

/** One message as a row of the list, with its separators. */
export interface ListRow {
  readonly message: ChatMessage;
  /** Start of the local day when a new day begins here, epoch milliseconds; else null. */
  readonly day: number | null;
  /** Whether the unread line is shown above. */
  readonly unread: boolean;
  /** Whether author and time are shown. False when the same author continues within a minute. */
  readonly head: boolean;
}

export interface ListRowOptions {
  /** The first unread message, null when there is none. */
  readonly unreadId: string | null;
  /** True while older messages exist. Then it is unknown whether the first row begins a day. */
  readonly hasOlder: boolean;
}

const minuteMs = 60_000;

function dayOf(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

/** The rows of a room: days, the unread line, and messages grouped by author and minute. */
export function toListRows(
  messages: readonly ChatMessage[],
  options: ListRowOptions,
): readonly ListRow[] {
  let day = Number.NaN;
  // Neighbours mostly share a day, so its end is kept to save date arithmetic.
  let dayEnds = Number.NEGATIVE_INFINITY;
  return messages.map((message, index) => {
    const before = messages[index - 1];
    const sameDay = message.createdAt >= day && message.createdAt < dayEnds;
    if (!sameDay) {
      day = dayOf(message.createdAt);
      dayEnds = new Date(day).setDate(new Date(day).getDate() + 1);
    }
    const newDay = !sameDay && !(index === 0 && options.hasOlder);
    const unread = message.id === options.unreadId;
    const goesOn =
      before !== undefined &&
      before.authorId === message.authorId &&
      Math.floor(before.createdAt / minuteMs) === Math.floor(message.createdAt / minuteMs);
    return { message, day: newDay ? day : null, unread, head: newDay || unread || !goesOn };
  });
}

/** Id of the first message by another member after the last read time, or null. */
export function firstUnread(
  messages: readonly ChatMessage[],
  lastReadAt: number | null,
  ownId: string,
): string | null {
  if (lastReadAt === null) return null;
  const found = messages.find(
    (message) =>
      message.createdAt > lastReadAt && message.authorId !== ownId && message.delivery === "saved",
  );
  return found?.id ?? null;
}
