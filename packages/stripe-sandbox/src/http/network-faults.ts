/** A fault to inject into the next matching API call. */
export interface NetworkFault {
  /** `POST`, `GET`, `DELETE`, or any method when absent. */
  method?: string | undefined;
  /** Path such as `/v1/subscriptions`; `*` stands for one segment; any path when absent. */
  path?: string | undefined;
  /** `before` the call is executed, or `after` it was executed and saved. */
  when: "after" | "before";
  /** Wait and continue, close the connection without a response, or respond with an API error. */
  action: "delay" | "drop" | "error";
  /** Milliseconds to wait first, for any action. */
  delayMs?: number | undefined;
  /** HTTP status for `error`, 500 by default. */
  status?: number | undefined;
  /** Number of calls it applies to, 1 by default. The official library retries a dropped call once. */
  times?: number | undefined;
  /** Sent with an error as `Stripe-Should-Retry`, as Stripe does with most of its own; without it the library decides. */
  shouldRetry?: boolean | undefined;
}

/** A fault that applies to a call in progress. */
export interface ActiveFault extends NetworkFault {
  /** Aborted when the faults are cleared, so that delayed calls continue. */
  cleared: AbortSignal;
}

/** Pending faults, in the order they were added. */
export class NetworkFaults {
  #waiting: { fault: NetworkFault; left: number }[] = [];
  #clearing = new AbortController();

  add(fault: NetworkFault): void {
    this.#waiting.push({ fault, left: fault.times ?? 1 });
  }

  /** Removes all faults and lets delayed calls continue. */
  clear(): void {
    this.#waiting = [];
    this.#clearing.abort();
    this.#clearing = new AbortController();
  }

  /** The first fault that matches this call; counts as used. */
  take(method: string, path: string): ActiveFault | undefined {
    const entry = this.#waiting.find(({ fault }) => matches(fault, method, path));
    if (!entry) return undefined;
    entry.left -= 1;
    if (entry.left <= 0) this.#waiting = this.#waiting.filter((other) => other !== entry);
    return { ...entry.fault, cleared: this.#clearing.signal };
  }
}

function matches(fault: NetworkFault, method: string, path: string): boolean {
  if (fault.method !== undefined && fault.method.toUpperCase() !== method) return false;
  if (fault.path === undefined) return true;
  const wanted = fault.path.split("/");
  const given = path.split("/");
  return (
    wanted.length === given.length &&
    wanted.every((part, place) => part === "*" || part === given[place])
  );
}

/** Waits, but not past `signal`. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds <= 0 || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", done);
  });
}
