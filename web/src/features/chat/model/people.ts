import { toRole, type Role } from "@/domain/roles.ts";

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

/** Reads who is here from the channel's presence; the same person in two windows is one. */
export function peopleFrom(presence: Readonly<Record<string, readonly object[]>>): Person[] {
  const people = Object.values(presence).flatMap((entries) =>
    entries.flatMap((entry) => personFrom(entry) ?? []),
  );
  return [...new Map(people.map((person) => [person.id, person])).values()].sort((one, other) =>
    one.name.localeCompare(other.name, "en"),
  );
}

/** What somebody says of themselves on the channel, or null when it makes no sense. */
export function personFrom(said: unknown): Person | null {
  if (typeof said !== "object" || said === null) return null;
  const { id, name, role } = said as Record<string, unknown>;
  if (typeof id !== "string" || typeof name !== "string" || name.trim() === "") return null;
  return { id, name: name.slice(0, 80), role: toRole(role) };
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
