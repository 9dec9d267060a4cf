import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";

/** What the buffers of one chunk take besides its bytes, roughly. */
const CHUNK_BYTES = 256;
/** Header and mask of a ping or pong. */
const CONTROL_BYTES = 6;

/** Counts the bytes of a message that has not arrived whole; the library keeps them until it has. */
export class ArrivingBytes {
  readonly #now: () => number;
  #bytes = 0;
  #since = 0;

  /** @param noted called whenever the count has changed */
  constructor(wire: Duplex, socket: WebSocket, now: () => number, noted: () => void) {
    this.#now = now;
    // Before the library reads it, which tells of messages at once.
    wire.prependListener("data", (chunk: Buffer) => {
      if (this.#bytes === 0) this.#since = this.#now();
      this.#bytes += chunk.length + CHUNK_BYTES;
      noted();
    });
    const control = (data: Buffer) => {
      this.#bytes = Math.max(0, this.#bytes - data.length - CONTROL_BYTES - CHUNK_BYTES);
      noted();
    };
    socket.on("ping", control);
    socket.on("pong", control);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** A message has arrived whole. */
  arrived(): void {
    this.#bytes = 0;
  }

  /** How long a message has been arriving, in milliseconds. */
  get ageMs(): number {
    return this.#bytes === 0 ? 0 : this.#now() - this.#since;
  }
}
