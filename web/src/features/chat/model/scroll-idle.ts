/** Whether a list is being scrolled, and when scrolling has ended. */
export interface ScrollIdle {
  readonly isIdle: () => boolean;
  /** Calls back once when idle, which may be at once. The returned function cancels that. */
  readonly onIdle: (listener: () => void) => () => void;
  readonly scrollStarted: () => void;
  readonly scrollEnded: () => void;
}

/** Starts idle. */
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
