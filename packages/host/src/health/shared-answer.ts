/**
 * One answer for all who ask: no second question while one is asked, and none within `validMs` of an answer. Those who wait longer than
 * `longestMs` is given `late`; the question goes on for the next.
 */
export function sharedAnswer<T>(
  ask: () => Promise<T>,
  { late, validMs, longestMs }: { late: T; validMs: number; longestMs: number },
): () => Promise<T> {
  let answer: Promise<T> | undefined;
  let validUntilMs = 0;
  const inTime = async (asked: Promise<T>): Promise<T> => {
    const tooLate = Promise.withResolvers<T>();
    const timer = setTimeout(() => tooLate.resolve(late), longestMs);
    return await Promise.race([asked, tooLate.promise]).finally(() => clearTimeout(timer));
  };
  return async () => {
    if (answer === undefined || performance.now() >= validUntilMs) {
      validUntilMs = Number.POSITIVE_INFINITY;
      answer = ask().finally(() => (validUntilMs = performance.now() + validMs));
    }
    return await inTime(answer);
  };
}
