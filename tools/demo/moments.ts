/**
 * A moment of the demo's three weeks: a number of days ago with the time (UTC), such as "11 19:30", or minutes ago for the
 * last hours, such as "0 -64".
 */
export type Moment = string;

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** The last hours are told in minutes ago and reach no further back, so that they never come before an earlier day. */
const lastHoursMs = 4 * 60 * minuteMs;

/** Places moments before the time at which the seed began. */
export class Calendar {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly #lastMidnight: number;

  constructor(now: number) {
    this.now = now;
    this.#lastMidnight = Math.floor((now - lastHoursMs) / dayMs) * dayMs;
  }

  /**
   * Milliseconds since the epoch.
   * @throws {Error} for a text that is no moment.
   */
  at(moment: Moment): number {
    const parts = /^(\d+) (?:(\d\d):(\d\d)|-(\d+))$/.exec(moment);
    if (!parts) throw new Error(`"${moment}" is no moment of the demo`);
    const [, days = "", hours, minutes, minutesAgo] = parts;
    if (minutesAgo !== undefined) {
      const age = Number(minutesAgo) * minuteMs;
      if (Number(days) !== 0 || age > lastHoursMs) throw new Error(`"${moment}" is too long ago`);
      return this.now - age;
    }
    if (Number(days) === 0) throw new Error(`"${moment}" may lie ahead`);
    return (
      this.#lastMidnight - Number(days) * dayMs + (Number(hours) * 60 + Number(minutes)) * minuteMs
    );
  }
}
