/** What a client may still send after it was refused before the connection is cut. */
const MOST_DRAINED_BYTES = 16 * 1024 ** 2;
const LONGEST_DRAIN_MS = 5000;

/** The body of a request as it comes in. Giving up on reading does not hang up on the client; `drain` does that politely. */
export interface RequestBody {
  chunks: () => AsyncGenerator<Uint8Array>;
  /**
   * Reads on without keeping anything: most clients hear an answer only once they have said everything.
   * Never throws; a client that goes on for too long is cut off.
   */
  drain: () => Promise<void>;
}

/** Takes hold of the body; it can be read once. */
export function openBody(request: Request): RequestBody {
  const reader = request.body?.getReader();
  return {
    chunks: async function* () {
      for (;;) {
        const next = await reader?.read();
        if (next === undefined || next.done) return;
        yield next.value;
      }
    },
    drain: async () => {
      if (reader === undefined) return;
      const deadline = setTimeout(
        () => void reader.cancel().catch(() => undefined),
        LONGEST_DRAIN_MS,
      );
      try {
        let bytes = 0;
        while (bytes <= MOST_DRAINED_BYTES) {
          const next = await reader.read();
          if (next.done) return;
          bytes += next.value.byteLength;
        }
        await reader.cancel();
      } catch {
        // The client is gone, so nobody waits for an answer.
      } finally {
        clearTimeout(deadline);
      }
    },
  };
}
