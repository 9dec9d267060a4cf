export const hourS = 3600;
export const dayS = 24 * hourS;

export type Interval = "day" | "week" | "month" | "year";

/**
 * The sandbox's time in epoch seconds: real time plus the offset of the test clock, which only moves forwards. While
 * due work runs, the clock is held at the moment the work was due.
 */
export class SandboxClock {
  #offset = 0;
  /** How many months the clock was moved by, and the seconds of `offset` that come from them. */
  #months = { count: 0, seconds: 0 };
  #existing: number | null = null;

  get offset(): number {
    return this.#offset;
  }

  /** Sets the clock; months are counted from there. */
  set offset(seconds: number) {
    this.#offset = seconds;
    this.#months = { count: 0, seconds: 0 };
  }

  now(): number {
    return this.#existing ?? Math.floor(Date.now() / 1000) + this.#offset;
  }

  advanceBy(seconds: number): void {
    this.#offset += seconds;
  }

  /**
   * Moves on by months as a subscription's periods do, from the day that it would be without the months before: from
   * 31 January to 28 February, and from there to 31 March. So a subscription of that day is renewed, and not days ago; and so is
   * one of the day that the clock shows, such as 1 March where hours were added.
   */
  advanceByMonths(count: number): void {
    if (count === 0) return;
    const { count: before, seconds: moved } = this.#months;
    const now = this.now();
    const start = now - moved;
    const ofStart = addIntervals(start, before + count, "month");
    const seconds = Math.max(ofStart, addIntervals(now, count, "month")) - start;
    this.#offset += seconds - moved;
    this.#months = { count: before + count, seconds };
  }

  /** Runs `work` as if it were `instant`. */
  at<T>(instant: number, work: () => T): T {
    const before = this.#existing;
    this.#existing = instant;
    try {
      return work();
    } finally {
      this.#existing = before;
    }
  }
}

/**
 * `count` intervals after `anchor` (epoch seconds). Months keep the anchor's day, or the last day of shorter months:
 * 31 January, 28 February, 31 March.
 */
export function addIntervals(anchor: number, count: number, interval: Interval): number {
  if (interval === "day") return anchor + count * dayS;
  if (interval === "week") return anchor + count * 7 * dayS;
  const start = new Date(anchor * 1000);
  const months = start.getUTCMonth() + (interval === "year" ? 12 * count : count);
  const lastDay = new Date(Date.UTC(start.getUTCFullYear(), months + 1, 0)).getUTCDate();
  const end = new Date(start);
  end.setUTCDate(1);
  end.setUTCFullYear(start.getUTCFullYear(), months, Math.min(start.getUTCDate(), lastDay));
  return Math.floor(end.getTime() / 1000);
}

/** The end of the billing period that starts at `start`, counted from `anchor` so that the day does not drift. */
export function nextPeriodEnd(
  anchor: number,
  start: number,
  interval: Interval,
  intervalCount: number,
): number {
  let periods = 1;
  while (addIntervals(anchor, periods * intervalCount, interval) <= start) periods += 1;
  return addIntervals(anchor, periods * intervalCount, interval);
}
