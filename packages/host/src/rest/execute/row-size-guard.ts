// Closes a connection before a huge row from Postgres fills the host's memory.

import type { Duplex } from "node:stream";
import type { PoolClient } from "pg";

const headerBytes = 5;

/** A row was larger than allowed; its connection has been destroyed. */
export class RowTooLargeError extends Error {
  override readonly name = "RowTooLargeError";
}

/** Follows the lengths of the messages on a connection by their headers. */
export class MessageLengthTracker {
  readonly #maxBytes: number;
  /** Bytes of the current message that are still to arrive. */
  #left = 0;
  /** The first bytes of a header that has not arrived completely. */
  #header: Buffer = Buffer.alloc(0);

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Takes the next bytes; returns false when a message that begins in them is too long. */
  take(bytes: Buffer): boolean {
    let at = 0;
    while (at < bytes.length) {
      if (this.#left > 0) {
        const taken = Math.min(this.#left, bytes.length - at);
        this.#left -= taken;
        at += taken;
        continue;
      }
      const missing = headerBytes - this.#header.length;
      const part = bytes.subarray(at, at + missing);
      this.#header = this.#header.length === 0 ? part : Buffer.concat([this.#header, part]);
      at += part.length;
      if (this.#header.length < headerBytes) {
        // The socket may reuse the memory of these bytes, so they are copied.
        this.#header = Buffer.from(this.#header);
        return true;
      }
      // The length includes itself, but not the message type before it.
      this.#left = Math.max(0, this.#header.readUInt32BE(1) - 4);
      this.#header = Buffer.alloc(0);
      if (this.#left > this.#maxBytes) return false;
    }
    return true;
  }
}

/**
 * Destroys the connection when Postgres begins to send a message of more than `maxBytes`, before the driver collects it
 * in one buffer and one string. The running statement then fails with `RowTooLargeError`. Call it while the connection is
 * idle.
 */
export function guardRowSize(client: PoolClient, maxBytes: number): void {
  const { connection } = client as unknown as { connection?: { stream?: Duplex } };
  const stream = connection?.stream;
  if (stream === undefined) throw new Error("this driver does not show its socket");
  const lengths = new MessageLengthTracker(maxBytes);
  stream.prependListener("data", (bytes: Buffer) => {
    if (!lengths.take(bytes)) stream.destroy(new RowTooLargeError("a row is too large"));
  });
}
