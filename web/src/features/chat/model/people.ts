import type { Role } from "@/domain/roles.ts";

/** Somebody who has the room open. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

/** How long "is typing" is believed without hearing again. Milliseconds. */
export const typingLastsMs = 5000;
/** How often one's own typing is told, at most. Milliseconds. */
export const tellTypingEveryMs = 2000;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Ids of who is here, from the channel's presence; the same person in two windows is one. */
export function idsFrom(presence: Readonly<Record<string, readonly object[]>>): string[] {
  const ids = Object.values(presence).flatMap((entries) =>
    entries.flatMap((entry) => idFrom(entry) ?? []),
  );
  return [...new Set(ids)];
}

/**
 * Who somebody says they are on the channel, or null when it makes no sense. Nothing else they say of
 * themselves is looked at: names and roles stand in the profiles.
 */
export function idFrom(said: unknown): string | null {
  if (typeof said !== "object" || said === null || !("id" in said)) return null;
  return typeof said.id === "string" && uuid.test(said.id) ? said.id : null;
}

/** Those whose profile is known, by name. */
export function peopleOf(ids: readonly string[], known: ReadonlyMap<string, Person>): Person[] {
  return ids
    .flatMap((id) => known.get(id) ?? [])
    .sort((one, other) => one.name.localeCompare(other.name, "en"));
}

/** `Ada is typing`, `Ada and Ben are typing`, `Ada, Ben and 2 others are typing`; empty for nobody. */
export function typingWords(names: readonly string[]): string {
  const [first, second, ...rest] = names;
  if (first === undefined) return "";
  if (second === undefined) return `${first} is typing…`;
  if (rest.length === 0) return `${first} and ${second} are typing…`;
  const others = rest.length === 1 ? "1 other" : `${rest.length} others`;
  return `${first}, ${second} and ${others} are typing…`;
}
