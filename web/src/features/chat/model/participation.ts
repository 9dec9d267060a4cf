import type { Clock } from "@/lib/clock.ts";

/** How often one's place in a room is renewed; the server gives it up after 90 s. Milliseconds. */
export const renewEveryMs = 30_000;

export interface ParticipationDeps {
  readonly join: () => Promise<void>;
  readonly leave: () => Promise<void>;
  /** Leaves by a request that outlives the page. */
  readonly leaveOnUnload: () => void;
  readonly clock: Clock;
}

export interface Participation {
  /** The room is on the screen: at first, and after it was hidden. */
  readonly enter: () => void;
  /** The place was given up elsewhere, such as by another window; takes it again while the room is seen. */
  readonly renew: () => void;
  /** The page is hidden or closes. */
  readonly hide: () => void;
  /** One goes to another page of the app. */
  readonly leave: () => void;
}

/** One's place in a room: taken once, renewed while the room is seen, given up once. */
export function createParticipation(deps: ParticipationDeps): Participation {
  let present = false;
  let cancelRenewal = () => {};
  /* What was asked last; leaving waits for it, so that the two cannot overtake each other. */
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
