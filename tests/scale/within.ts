/** How long a socket may take to join; much longer than it does on a busy machine. */
export const joinLimitMs = 60_000;

/**
 * Waits for something no longer than `limitMs`.
 * @throws naming what was waited for
 */
export async function within<T>(limitMs: number, what: string, result: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`${what}: not within ${limitMs} ms`)),
    limitMs,
  );
  return await Promise.race([result, late.promise]).finally(() => clearTimeout(timer));
}
