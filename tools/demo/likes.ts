import { climbs, type Climb } from "./people.ts";
import type { Calendar } from "./moments.ts";
import type { Line } from "./read-room.ts";

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;
/** Messages and likes that complete the levels 1 to 3, as in `level_requirements`. */
const engagementsNeeded = [50, 150, 350] as const;

/** A member's like of a message. */
export interface Like {
  by: string;
  line: Line;
  at: number;
}

/** A number from 0 to 1 that is always the same for the same text. */
export function share(text: string): number {
  let hash = 2_166_136_261;
  for (let place = 0; place < text.length; place += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(place), 16_777_619);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_507);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}

/** A stretch of a member's time in which nothing changes about the rooms that are open to them. */
interface Stretch {
  from: number;
  to: number;
  level: number;
  /** Messages and likes at its end. */
  engagements: number;
}

function stretchesOf(climb: Climb, calendar: Calendar): Stretch[] {
  const moments = [climb.joined, ...climb.reached].map((moment) => calendar.at(moment));
  return moments.map((from, place) => ({
    from,
    to: moments[place + 1] ?? calendar.now - 2 * minuteMs,
    level: place + 1,
    engagements: place < climb.reached.length ? (engagementsNeeded[place] ?? 0) : climb.engagements,
  }));
}

/** When a member likes a message: mostly soon, sometimes the next morning, and never after the stretch. */
function likedAt(member: string, line: Line, { from, to }: Stretch): number {
  const pace = share(`${member} pace ${line.id}`);
  const slow = share(`${member} slow ${line.id}`) > 0.8;
  const at =
    line.at < from
      ? from + 20 * minuteMs + pace * Math.min(2 * dayMs, to - from - 30 * minuteMs)
      : line.at + minuteMs + pace * (slow ? 12 * 60 : 90) * minuteMs;
  return at < to ? at : Math.max(line.at, from) + pace * (to - Math.max(line.at, from));
}

/**
 * The likes of one member: as many as bring them to each level at its moment, and to their progress now.
 * @param opened when the member opened each room.
 * @throws {Error} when there are not enough messages.
 */
export function likesOf(
  member: string,
  lines: readonly Line[],
  opened: ReadonlyMap<string, number>,
  calendar: Calendar,
): Like[] {
  const climb = climbs[member];
  if (!climb) throw new Error(`no climb of ${member}`);
  const own = lines.filter((line) => line.by === member);
  const likes: Like[] = [];
  const liked = new Set<string>();
  for (const stretch of stretchesOf(climb, calendar)) {
    const { to, engagements } = stretch;
    const missing = engagements - likes.length - own.filter((line) => line.at < to).length;
    const candidates = lines
      .filter((line) => line.by !== member && !liked.has(line.id) && line.at < to - 3 * minuteMs)
      .filter((line) => (opened.get(line.room) ?? Number.POSITIVE_INFINITY) < to - 5 * minuteMs)
      .toSorted((left, right) => weight(member, left) - weight(member, right));
    if (missing < 1 || missing > candidates.length) {
      throw new Error(`${member} needs ${missing} likes of ${candidates.length} messages`);
    }
    const added = candidates.slice(0, missing).map((line) => {
      const open = opened.get(line.room) ?? stretch.from;
      const from = Math.max(stretch.from, open);
      return { by: member, line, at: likedAt(member, line, { ...stretch, from }) };
    });
    for (const { line } of added) liked.add(line.id);
    const last = added.reduce((newest, like) => (like.at > newest.at ? like : newest));
    // The last one completes the level, at its moment.
    if (to < calendar.now - 3 * minuteMs) last.at = to;
    likes.push(...added);
  }
  return likes;
}

/** Small for what a member likes first: an answer to their own words, and what others liked as well. */
function weight(member: string, line: Line): number {
  const isAnswer = line.parent?.by === member ? 0.5 : 0;
  return share(`${member} ${line.id}`) + 0.6 * share(line.id) - isAnswer;
}

/** What members add to a like in each room; in the others they only like. */
const reactions: Readonly<Record<string, string>> = {
  success: "celebrate",
  motivation: "applause",
  accountability: "applause",
  productivity: "insight",
  "reading-circle": "insight",
  "skills-workshop": "insight",
  "offers-and-pricing": "insight",
};

/** The reaction that some members add to their like: thanks for an answer, otherwise what suits the room. */
export function reactionTo(line: Line, member: string): string | undefined {
  const reaction = line.parent?.by === member ? "thanks" : reactions[line.room];
  const isRoomWide = share(`${line.id} is talked about`) > 0.6;
  return isRoomWide && share(`${member} reacts ${line.id}`) > 0.6 ? reaction : undefined;
}
