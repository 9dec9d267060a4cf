/** A repeated error is told at most once in this time. */
const quietMs = 60_000;

/** Tells an error that comes again and again once a minute. */
export function quietly(tell: (error: unknown) => void): (error: unknown) => void {
  let toldAt = -Infinity;
  return (error) => {
    if (performance.now() - toldAt < quietMs) return;
    toldAt = performance.now();
    tell(error);
  };
}
