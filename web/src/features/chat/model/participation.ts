import type { Clock } from "@/lib/clock.ts";

/** How often the participation is renewed. The server ends it after 90 s. Milliseconds. */
export const renewEveryMs = 30_000;

export interface ParticipationDeps {
  readonly join: () => Promise<void>;
  readonly leave: () => Promise<void>;
  /** Leaves with a request that continues after the page is closed. */
  readonly leaveOnUnload: () => void;
  readonly clock: Clock;
}

export interface Participation {
  /** Call when the room becomes visible. */
  readonly enter: () => void;
  /** Joins again after another window has left, if the room is visible. */
  readonly renew: () => void;
  /** Call when the page is hidden or closed. */
  readonly hide: () => void;
  /** Call when the member opens another page of the app. */
  readonly leave: () => void;
}

/** The member's participation in a room: joined once, renewed while visible, left once. */
export function createParticipation(deps: ParticipationDeps): Participation {
  let present = false;
  let cancelRenewal = () => {};
  // The latest request. Leaving waits for it, so that requests stay in order.
  let asked: Promise<void> = Promise.resolve();

  function ask(what: string, request: () => Promise<void>): void {
    asked = asked.then(request).catch((error: unknown) => {
      console.error(`Could not ${what} the room`, error);
    });
  }

  function renew(): void {
    ask("join", deps.join);
    cancelRenewal = deps.clock.after(renewEveryMs, renew);
  }

  function end(): boolean {
    if (!present) return false;
    present = false;
    cancelRenewal();
    return true;
  }

  return {
    enter: () => {
      if (present) return;
      present = true;
      renew();
    },
    renew: () => {
      if (!present) return;
      cancelRenewal();
      renew();
    },
    hide: () => {
      if (end()) deps.leaveOnUnload();
    },
    leave: () => {
      if (end()) ask("leave", deps.leave);
    },
  };
}
