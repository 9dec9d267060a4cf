export interface Likes {
  /** Says what one wants now; the server hears the last word, one request at a time. */
  readonly want: (messageId: string, liked: boolean) => void;
}

/**
 * Keeps quick presses in order: while a request for a message is under way, only the latest wish
 * is remembered, and it is sent afterwards if it still differs.
 */
export function createLikes(
  store: (messageId: string, liked: boolean) => Promise<void>,
  onFailed: (messageId: string, liked: boolean, error: unknown) => void,
): Likes {
  const wishes = new Map<string, boolean>();
  const busy = new Set<string>();

  async function settle(messageId: string): Promise<void> {
    busy.add(messageId);
    let stored: boolean | null = null;
    for (let wish = wishes.get(messageId); wish !== undefined; wish = wishes.get(messageId)) {
      wishes.delete(messageId);
      if (wish === stored) continue;
      try {
        await store(messageId, wish);
        stored = wish;
      } catch (error) {
        if (!wishes.has(messageId)) onFailed(messageId, !wish, error);
      }
    }
    busy.delete(messageId);
  }

  return {
    want: (messageId, liked) => {
      wishes.set(messageId, liked);
      if (!busy.has(messageId)) void settle(messageId);
    },
  };
}
