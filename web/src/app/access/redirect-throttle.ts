import type { Clock } from "@/lib/clock.ts";

const redirectWindowMs = 2000;

export interface RedirectThrottle {
  /**
   * Asks to be sent to a target. True: go there now. False: the redirect is suppressed, because the same target was
   * granted less than two seconds ago. A loop ends there instead of freezing the page.
   */
  readonly request: (target: string) => boolean;
}

/** One throttle per app. */
export function createRedirectThrottle(clock: Clock): RedirectThrottle {
  let last: { readonly target: string; readonly at: number } | null = null;
  return {
    request: (target) => {
      const now = clock.now();
      if (last?.target === target && now - last.at < redirectWindowMs) return false;
      last = { target, at: now };
      return true;
    },
  };
}
