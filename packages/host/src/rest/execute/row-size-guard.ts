import type { Duplex } from "node:stream";
import type { PoolClient } from "pg";

const headerBytes = 5;

/** A row that was refused while it came in; the connection it came over is gone. */
export class RowTooLarge extends Error {
  override readonly name = "RowTooLarge";
}

/** Follows the messages of a connection by their headers; `onTooLarge` is told of one that is too long. */
export class MessageLengths {
  readonly #maxBytes: number;
  /** Bytes of the current message that have not come yet. */
  #left = 0;
  /** Beginning of a header that came in pieces. */
  #header: Buffer = Buffer.alloc(0);

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Takes the next bytes; false when a message begins in them that is longer than it may be. */
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
        // The bytes belong to the socket, which may use their place again.
        this.#header = Buffer.from(this.#header);
        return true;
      }
      // The length counts itself, but not the letter before it.
      this.#left = Math.max(0, this.#header.readUInt32BE(1) - 4);
      this.#header = Buffer.alloc(0);
      if (this.#left > this.#maxBytes) return false;
    }
    return true;
  }
}

/**
 * Ends the connection when Postgres begins to send a message of more than `maxBytes`, before the driver gathers it
 * into one buffer and one string. The statement that runs then fails with `RowTooLarge`. To be called while the
 * connection is idle.
 */
export function guardRows(client: PoolClient, maxBytes: number): void {
  const { connection } = client as unknown as { connection?: { stream?: Duplex } };
  const stream = connection?.stream;
  if (stream === undefined) throw new Error("this driver does not show its socket");
  const lengths = new MessageLengths(maxBytes);
  stream.prependListener("data", (bytes: Buffer) => {
    if (!lengths.take(bytes)) stream.destroy(new RowTooLarge("a row is too large"));
  });
}
