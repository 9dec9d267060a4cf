import type { Role } from "@/domain/roles.ts";
import { isUuid } from "@/lib/uuid.ts";
import type { ChatMessage } from "./message.ts";

/** A member who has the room open. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** Of the profile picture. */
  readonly avatarUrl: string | null;
}

/** How long "is typing" is shown without another broadcast. Milliseconds. */
export const typingTimeoutMs = 6000;
/** Shortest time between two broadcasts of the member's own typing. Milliseconds. */
export const typingIntervalMs = 3000;

/** The distinct ids in a list the database sent. Invalid entries are left out. */
export function idsFrom(list: unknown): string[] {
  if (!Array.isArray(list)) return [];
  return [...new Set(list.filter(isUuid))];
}

/** Members who joined and left a room, from a `people` broadcast. */
export interface PeopleChange {
  readonly joined: readonly string[];
  readonly left: readonly string[];
}

/** Reads a `people` broadcast; lists that are missing are empty. */
export function peopleChangeFrom(payload: unknown): PeopleChange {
  const { joined, left } = (payload ?? {}) as { joined?: unknown; left?: unknown };
  return { joined: idsFrom(joined), left: idsFrom(left) };
}

/** The id in a `typing` broadcast; null when it is invalid. */
export function typingIdFrom(payload: unknown): string | null {
  return idsFrom([(payload as { user_id?: unknown } | null)?.user_id])[0] ?? null;
}

/** Applies a change to the ids of the members in the room. */
export function applyPeopleChange(
  ids: ReadonlySet<string>,
  { joined, left }: PeopleChange,
): ReadonlySet<string> {
  const gone = new Set(left);
  return new Set([...[...ids].filter((id) => !gone.has(id)), ...joined]);
}

/** The members whose profile is loaded, sorted by name. */
export function peopleOf(ids: readonly string[], known: ReadonlyMap<string, Person>): Person[] {
  return ids
    .flatMap((id) => known.get(id) ?? [])
    .sort((one, other) => one.name.localeCompare(other.name, "en"));
}

/** Others who wrote last, the newest first, of messages that stand oldest first. Deleted messages name nobody. */
export function lastSpeakers(
  messages: readonly ChatMessage[],
  selfId: string,
  max: number,
): readonly Person[] {
  const found = new Map<string, Person>();
  for (const { author, deleted } of messages.toReversed()) {
    if (found.size === max) break;
    if (author && !deleted && author.id !== selfId && !found.has(author.id)) {
      found.set(author.id, author);
    }
  }
  return [...found.values()];
}
