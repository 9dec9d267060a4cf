import { levels, type Level } from "@/domain/levels.ts";
import type { Person } from "./people.ts";

/** A room as shown on its page. */
export interface Room {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly minLevel: number;
  /** How many members have it open. */
  readonly participants: number;
}

/** The beginning of the newest message of a room. */
export interface LastLine {
  readonly authorId: string;
  readonly author: string;
  /** Empty when the message was deleted. */
  readonly text: string;
}

/** A room as shown in the list. */
export interface RoomOverview extends Room {
  /** At most 99. */
  readonly unread: number;
  /** Epoch milliseconds; null when there are no messages. */
  readonly lastMessageAt: number | null;
  /** Null when there are no messages. */
  readonly lastLine: LastLine | null;
  /** A few of those who are there now; when nobody is, of those who wrote last. */
  readonly faces: readonly Pick<Person, "id" | "name" | "avatarUrl">[];
}

/** The rooms that open at one level. */
export interface RoomSection {
  readonly level: Level;
  readonly open: boolean;
  readonly rooms: readonly RoomOverview[];
}

/** Nobody has written in it and nobody is there. */
function isQuiet(room: RoomOverview): boolean {
  return room.lastMessageAt === null && room.participants === 0;
}

/**
 * The rooms of a level as the list shows them. Quiet ones are folded away only beside others with
 * messages: in a new community every room is still to be started.
 */
export function foldQuiet({ open, rooms }: Pick<RoomSection, "open" | "rooms">): {
  readonly shown: readonly RoomOverview[];
  readonly quiet: readonly RoomOverview[];
} {
  if (!open || rooms.every(({ lastMessageAt }) => lastMessageAt === null)) {
    return { shown: rooms, quiet: [] };
  }
  return { shown: rooms.filter((room) => !isQuiet(room)), quiet: rooms.filter(isQuiet) };
}

/** Whether a member of this level may enter. */
export function canEnter(room: Pick<Room, "minLevel">, level: number): boolean {
  return level >= room.minLevel;
}

/** The rooms by the level that opens them; levels without rooms are left out. */
export function sectionsOf(rooms: readonly RoomOverview[], level: number): readonly RoomSection[] {
  return levels
    .map((each) => ({
      level: each,
      open: level >= each.number,
      rooms: rooms.filter(({ minLevel }) => minLevel === each.number),
    }))
    .filter((section) => section.rooms.length > 0);
}
