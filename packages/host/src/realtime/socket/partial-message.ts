// Guards against clients that send a WebSocket message slowly or in part, whose bytes `ws` keeps in memory.

import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";

/** Approximate overhead of a buffered chunk. */
const chunkOverheadBytes = 256;
/** Size of the header and mask of a ping or pong. */
const controlFrameHeaderBytes = 6;

/** Counts the bytes of an incomplete message, which `ws` buffers, and can delay the next one. */
export class PartialMessage {
  readonly #now: () => number;
  readonly #socket: WebSocket;
  #isDelayed = false;
  #bytes = 0;
  #since = 0;

  /** @param onChange called when the count changes */
  constructor(wire: Duplex, socket: WebSocket, now: () => number, onChange: () => void) {
    this.#now = now;
    this.#socket = socket;
    // Before the listener of `ws`, which emits complete messages at once.
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

  /** Resets the count after a complete message. */
  complete(): void {
    this.#bytes = 0;
  }

  /** Stops reading for a while, so that a client over its limits waits instead of filling the memory. */
  delayNext(milliseconds: number): void {
    if (this.#isDelayed) return;
    this.#isDelayed = true;
    this.#socket.pause();
    setTimeout(() => {
      this.#isDelayed = false;
      this.#socket.resume();
    }, milliseconds).unref();
  }

  /** Milliseconds since the first byte of the incomplete message. */
  get ageMs(): number {
    return this.#bytes === 0 ? 0 : this.#now() - this.#since;
  }
}
