import type { Role } from "@/domain/roles.ts";

/** Somebody who has the room open. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

/** How long "is typing" is believed without hearing again. Milliseconds. */
export const typingTimeoutMs = 6000;
/** How often one's own typing is told, at most. Milliseconds. */
export const typingIntervalMs = 3000;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Ids in a list the database sent, each once; what is not an id is left out. */
export function idsFrom(list: unknown): string[] {
  if (!Array.isArray(list)) return [];
  const ids = list.filter((each) => typeof each === "string" && uuid.test(each));
  return [...new Set(ids as string[])];
}

/** Who came to a room and who left it, as its channel tells it. */
export interface PeopleChange {
  readonly joined: readonly string[];
  readonly left: readonly string[];
}

/** Reads a `people` broadcast; lists that are missing are empty. */
export function peopleChangeFrom(payload: unknown): PeopleChange {
  const { joined, left } = (payload ?? {}) as { joined?: unknown; left?: unknown };
  return { joined: idsFrom(joined), left: idsFrom(left) };
}

/** Who types, from a `typing` broadcast; null when it makes no sense. */
export function typingIdFrom(payload: unknown): string | null {
  return idsFrom([(payload as { user_id?: unknown } | null)?.user_id])[0] ?? null;
}

/** Who is in the room after a change. */
export function applyPeopleChange(
  ids: ReadonlySet<string>,
  { joined, left }: PeopleChange,
): ReadonlySet<string> {
  const gone = new Set(left);
  return new Set([...[...ids].filter((id) => !gone.has(id)), ...joined]);
}

/** Those whose profile is known, by name. */
export function peopleOf(ids: readonly string[], known: ReadonlyMap<string, Person>): Person[] {
  return ids
    .flatMap((id) => known.get(id) ?? [])
    .sort((one, other) => one.name.localeCompare(other.name, "en"));
}

/** `Ada is typing`, `Ada and Ben are typing`, `Ada, Ben and 2 others are typing`; empty for nobody. */
export function formatTyping(names: readonly string[]): string {
  const [first, second, ...rest] = names;
  if (first === undefined) return "";
  if (second === undefined) return `${first} is typing…`;
  if (rest.length === 0) return `${first} and ${second} are typing…`;
  const others = rest.length === 1 ? "1 other" : `${rest.length} others`;
  return `${first}, ${second} and ${others} are typing…`;
}
