import { levels, type Level } from "@/domain/levels.ts";

/** A room as shown on its page. */
export interface Room {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly minLevel: number;
  /** How many members have it open. */
  readonly participants: number;
}

/** A room as shown in the list. */
export interface RoomOverview extends Room {
  /** At most 99. */
  readonly unread: number;
  /** Epoch milliseconds; null when there are no messages. */
  readonly lastMessageAt: number | null;
}

/** The rooms that open at one level. */
export interface RoomSection {
  readonly level: Level;
  readonly open: boolean;
  readonly rooms: readonly RoomOverview[];
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
