/** Time as the code sees it, so that tests can hold it. Milliseconds throughout. */
export interface Clock {
  readonly now: () => number;
  /** Calls back once after the delay; the returned function calls it off. */
  readonly after: (milliseconds: number, callback: () => void) => () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Resolves after the delay. */
export function waitFor(clock: Clock, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(milliseconds, resolve);
  });
}

/** Rejects with a `TimeoutError` when the work takes longer than the limit. */
export function withTimeout<T>(clock: Clock, milliseconds: number, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const cancel = clock.after(milliseconds, () => {
      reject(new DOMException(`No answer within ${milliseconds} ms`, "TimeoutError"));
    });
    work.then(
      (value) => {
        cancel();
        resolve(value);
      },
      (reason: unknown) => {
        cancel();
        reject(reason instanceof Error ? reason : new Error(String(reason)));
      },
    );
  });
}
