import type { Clock } from "../clock.ts";

export interface ManualClock extends Clock {
  /** Moves time on, calling back what fell due, and lets promises settle in between. */
  readonly advance: (milliseconds: number) => Promise<void>;
}

/** A clock for tests: it only moves when told to. */
export function createManualClock(): ManualClock {
  let now = 0;
  let waiting: { at: number; callback: () => void }[] = [];

  async function settle(): Promise<void> {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  }

  return {
    now: () => now,
    after: (milliseconds, callback) => {
      const entry = { at: now + milliseconds, callback };
      waiting.push(entry);
      return () => {
        waiting = waiting.filter((other) => other !== entry);
      };
    },
    advance: async (milliseconds) => {
      const end = now + milliseconds;
      await settle();
      for (;;) {
        const next = waiting.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        waiting = waiting.filter((other) => other !== next);
        now = next.at;
        next.callback();
        await settle();
      }
      now = end;
    },
  };
}
