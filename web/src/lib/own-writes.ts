import type { Clock } from "./clock.ts";

type Fetch = typeof fetch;

/** Longer than the five seconds that a host's read replica may be behind. */
const rememberMs = 6000;
const writtenHeader = "x-database-written";
const afterWriteHeader = "x-read-after-write";

/**
 * Fetch that tells a host which has a read replica of the member's own writes: its answer to a write says that there is one, and the
 * reads of the next seconds then ask for rows that hold the write, whichever host of several gets them. Other backends, which never say so,
 * get no header.
 */
export function createOwnWritesFetch(send: Fetch, clock: Pick<Clock, "now">): Fetch {
  let wroteAt = Number.NEGATIVE_INFINITY;
  return async (input, init) => {
    let request = init;
    if (clock.now() - wroteAt <= rememberMs) {
      const headers = new Headers(init?.headers);
      headers.set(afterWriteHeader, "true");
      request = { ...init, headers };
    }
    const response = await send(input, request);
    if (response.headers.has(writtenHeader)) wroteAt = clock.now();
    return response;
  };
}
