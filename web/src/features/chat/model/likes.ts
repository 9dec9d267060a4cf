export interface Likes {
  /** Sets whether a message is liked. The server gets the latest state, one request at a time. */
  readonly set: (messageId: string, liked: boolean) => void;
}

/**
 * Sends likes in order. While a request for a message is pending, only the latest state is kept.
 * It is sent afterwards if it differs from the stored one.
 */
export function createLikes(
  store: (messageId: string, liked: boolean) => Promise<void>,
  onFailed: (messageId: string, liked: boolean, error: unknown) => void,
): Likes {
  const pending = new Map<string, boolean>();
  const busy = new Set<string>();

  async function flush(messageId: string): Promise<void> {
    busy.add(messageId);
    let stored: boolean | null = null;
    for (let next = pending.get(messageId); next !== undefined; next = pending.get(messageId)) {
      pending.delete(messageId);
      if (next === stored) continue;
      try {
        await store(messageId, next);
        stored = next;
      } catch (error) {
        if (!pending.has(messageId)) onFailed(messageId, !next, error);
      }
    }
    busy.delete(messageId);
  }

  return {
    set: (messageId, liked) => {
      pending.set(messageId, liked);
      if (!busy.has(messageId)) void flush(messageId);
    },
  };
}
