// Streams the body of an upload, and drains it after an error so that the client reads the response.

/** How much of a refused body is still read before the connection is closed. */
const maxDrainedBytes = 16 * 1024 ** 2;
const drainTimeoutMs = 5000;

/** A request's body as a stream. Stopping early leaves the connection open; call `drain` afterwards. */
export interface RequestBody {
  chunks: () => AsyncGenerator<Uint8Array>;
  /**
   * Reads and discards the rest: most clients read a response only after sending the whole body.
   * Stops at a limit of bytes and time. Never throws.
   */
  drain: () => Promise<void>;
}

/** Opens the body; it can be read once. */
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
        drainTimeoutMs,
      );
      try {
        let bytes = 0;
        while (bytes <= maxDrainedBytes) {
          const next = await reader.read();
          if (next.done) return;
          bytes += next.value.byteLength;
        }
        await reader.cancel();
      } catch {
        // The client has disconnected.
      } finally {
        clearTimeout(deadline);
      }
    },
  };
}
