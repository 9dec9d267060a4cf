import type { Calendar } from "./moments.ts";

/** A message of a demo room. */
export interface Line {
  id: string;
  room: string;
  /** First name of the author. */
  by: string;
  /** Milliseconds since the epoch. */
  at: number;
  text: string;
  /** The message it replies to. */
  parent: Line | undefined;
  /** Pinned to the top of its room by the administrator. */
  isPinned: boolean;
}

const shape = /^(\*?)(\d+ (?:\d\d:\d\d|-\d+)) (\w+)(?:>(\w+))?: (.+)$/;

/** Ids that are the same on every install, so that a link in an issue leads to the same row. */
export const demoId = (kind: number, place: number) =>
  `d000000${kind}-0000-4000-8000-${String(place).padStart(12, "0")}`;

/**
 * Reads a room's conversation: one message a line, oldest first, as "moment Name: text". "Name>Other" replies to the
 * newest message of the other one; a "*" in front pins the message.
 * @param firstPlace number of the first message, for its id.
 * @throws {Error} naming a line that has another form, comes too early or replies to nothing.
 */
export function readRoom(
  room: string,
  source: string,
  calendar: Calendar,
  firstPlace: number,
): Line[] {
  const lines: Line[] = [];
  for (const row of source.trim().split("\n")) {
    const [, pin = "", moment = "", by = "", other, text = ""] = shape.exec(row) ?? [];
    if (text === "") throw new Error(`${room}: "${row}" is no message of the demo`);
    const at = calendar.at(moment);
    const parent = other === undefined ? undefined : lines.findLast((line) => line.by === other);
    if (other !== undefined && !parent) throw new Error(`${room}: "${row}" replies to nothing`);
    if (at <= (lines.at(-1)?.at ?? 0)) throw new Error(`${room}: "${row}" comes too early`);
    const id = demoId(0, firstPlace + lines.length);
    lines.push({ id, room, by, at, text, parent, isPinned: pin !== "" });
  }
  return lines;
}
