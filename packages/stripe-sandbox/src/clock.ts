export const hourS = 3600;
export const dayS = 24 * hourS;

export type Interval = "day" | "week" | "month" | "year";

/**
 * The sandbox's time in epoch seconds: real time plus an offset that only the test clock moves,
 * and only forwards. While due work is being done the clock stands at the moment it was due.
 */
export class SandboxClock {
  offset = 0;
  #existing: number | null = null;

  now(): number {
    return this.#existing ?? Math.floor(Date.now() / 1000) + this.offset;
  }

  advanceBy(seconds: number): void {
    this.offset += seconds;
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
 * `count` intervals after `anchor` (epoch seconds). Months keep the anchor's day where the month has
 * it and otherwise end on its last day: 31 January, 28 February, 31 March.
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

/** The end of the billing period that starts at `start`, counted from `anchor` so that days do not drift. */
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
