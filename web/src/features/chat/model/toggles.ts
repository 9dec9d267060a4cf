export interface Toggles<Key extends string> {
  /** Turns one on or off. The server gets the latest state, one request at a time for each key. */
  readonly set: (key: Key, on: boolean) => void;
}

/**
 * Sends likes and reactions in order. While a request for one is pending, only the latest state is kept.
 * It is sent afterwards if it differs from the stored one.
 */
export function createToggles<Key extends string>(
  store: (key: Key, on: boolean) => Promise<void>,
  onFailed: (key: Key, on: boolean, error: unknown) => void,
): Toggles<Key> {
  const pending = new Map<Key, boolean>();
  const busy = new Set<Key>();

  async function flush(key: Key): Promise<void> {
    busy.add(key);
    let stored: boolean | null = null;
    for (let next = pending.get(key); next !== undefined; next = pending.get(key)) {
      pending.delete(key);
      if (next === stored) continue;
      try {
        await store(key, next);
        stored = next;
      } catch (error) {
        if (!pending.has(key)) onFailed(key, !next, error);
      }
    }
    busy.delete(key);
  }

  return {
    set: (key, on) => {
      pending.set(key, on);
      if (!busy.has(key)) void flush(key);
    },
  };
}
