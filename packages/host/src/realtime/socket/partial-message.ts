import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";

/** What the buffers of one chunk take besides its bytes, roughly. */
const chunkOverheadBytes = 256;
/** Header and mask of a ping or pong. */
const controlFrameHeaderBytes = 6;

/** Counts the bytes of a message that has not arrived whole; the library keeps them until it has. */
export class PartialMessage {
  readonly #now: () => number;
  #bytes = 0;
  #since = 0;

  /** @param onChange called whenever the count has changed */
  constructor(wire: Duplex, socket: WebSocket, now: () => number, onChange: () => void) {
    this.#now = now;
    // Before the library reads it, which tells of messages at once.
    wire.prependListener("data", (chunk: Buffer) => {
      if (this.#bytes === 0) this.#since = this.#now();
      this.#bytes += chunk.length + chunkOverheadBytes;
      onChange();
    });
    const control = (data: Buffer) => {
      this.#bytes = Math.max(
        0,
        this.#bytes - data.length - controlFrameHeaderBytes - chunkOverheadBytes,
      );
      onChange();
    };
    socket.on("ping", control);
    socket.on("pong", control);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** A message has arrived whole. */
  complete(): void {
    this.#bytes = 0;
  }

  /** How long a message has been arriving, in milliseconds. */
  get ageMs(): number {
    return this.#bytes === 0 ? 0 : this.#now() - this.#since;
  }
}
