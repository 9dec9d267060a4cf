/** Whether a list is being scrolled, and when it has come to rest. */
export interface ScrollIdle {
  readonly isIdle: () => boolean;
  /** Calls back once it rests, which may be at once; the returned function takes that back. */
  readonly onIdle: (listener: () => void) => () => void;
  readonly scrollStarted: () => void;
  readonly scrollEnded: () => void;
}

/** A list that does not move yet. */
export function createScrollIdle(): ScrollIdle {
  let isIdle = true;
  let listeners = new Set<() => void>();
  return {
    isIdle: () => isIdle,
    onIdle: (listener) => {
      if (isIdle) listener();
      else listeners.add(listener);
      return () => listeners.delete(listener);
    },
    scrollStarted: () => {
      isIdle = false;
    },
    scrollEnded: () => {
      isIdle = true;
      const due = listeners;
      listeners = new Set();
      for (const listener of due) listener();
    },
  };
}
