/** Whether a list is being scrolled, and when it has come to rest. */
export interface Rest {
  readonly isResting: () => boolean;
  /** Calls back once it rests, which may be at once; the returned function takes that back. */
  readonly onceResting: (listener: () => void) => () => void;
  readonly moved: () => void;
  readonly rested: () => void;
}

/** A list that does not move yet. */
export function createRest(): Rest {
  let isResting = true;
  let listeners = new Set<() => void>();
  return {
    isResting: () => isResting,
    onceResting: (listener) => {
      if (isResting) listener();
      else listeners.add(listener);
      return () => listeners.delete(listener);
    },
    moved: () => {
      isResting = false;
    },
    rested: () => {
      isResting = true;
      const due = listeners;
      listeners = new Set();
      for (const listener of due) listener();
    },
  };
}
