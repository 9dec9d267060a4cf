import type { Clock } from "@/lib/clock.ts";

const redirectWindowMs = 2000;

export interface RedirectThrottle {
  /**
   * Asks to be sent to a target. Answers 0 when it may happen now, else the milliseconds after
   * which to ask again: the same target within two seconds is held back, which also turns a
   * loop into a slow walk instead of a frozen page.
   */
  readonly request: (target: string) => number;
}

/** One gate per app. */
export function createRedirectThrottle(clock: Clock): RedirectThrottle {
  let last: { readonly target: string; readonly at: number } | null = null;
  return {
    request: (target) => {
      const now = clock.now();
      const waited = last?.target === target ? now - last.at : redirectWindowMs;
      if (waited < redirectWindowMs) return redirectWindowMs - waited;
      last = { target, at: now };
      return 0;
    },
  };
}
