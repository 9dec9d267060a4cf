// Combines the frames for a socket into one write, and shares its bytes between sockets that get the same frames.

import type { Writable } from "node:stream";
import type { Frame } from "./frames.ts";

/** Larger batches are written at once, so that their bytes are not held twice. */
const maxWriteBytes = 64 * 1024;

/** A sequence of frames to write. Sockets that receive the same sequence share its bytes. */
class FrameBatch {
  readonly size: number;
  readonly #before: FrameBatch | undefined;
  readonly #frame: Frame | undefined;
  readonly #longer = new Map<Frame, FrameBatch>();
  #bytes: Buffer | undefined;

  constructor(before?: FrameBatch, frame?: Frame) {
    this.#before = before;
    this.#frame = frame;
    this.size = (before?.size ?? 0) + (frame?.bytes.length ?? 0);
  }

  with(frame: Frame): FrameBatch {
    let longer = this.#longer.get(frame);
    if (longer === undefined) {
      longer = new FrameBatch(this, frame);
      this.#longer.set(frame, longer);
    }
    return longer;
  }

  get bytes(): Buffer {
    return (this.#bytes ??= this.#join());
  }

  #join(): Buffer {
    const frames: Buffer[] = [];
    this.#collect(frames);
    const [only] = frames;
    return frames.length === 1 && only ? only : Buffer.concat(frames);
  }

  #collect(frames: Buffer[]): void {
    if (this.#before !== undefined) this.#before.#collect(frames);
    if (this.#frame !== undefined) frames.push(this.#frame.bytes);
  }
}

/** The pending frames of one socket, managed by `WriteBatcher`. */
export class SocketBuffer {
  readonly wire: Pick<Writable, "write" | "writableLength">;
  /** Called when the stream could not pass everything to the kernel. */
  readonly onBackpressure: () => void;
  batch: FrameBatch | undefined;

  /** @param wire takes encoded frames */
  constructor(wire: Pick<Writable, "write" | "writableLength">, held: () => void) {
    this.wire = wire;
    this.onBackpressure = held;
  }
}

/**
 * Collects the frames of one task and writes once to each socket. A write is a call into the kernel and the main
 * cost of a fan-out, so a batch of changes costs little more than one change.
 */
export class WriteBatcher {
  #empty = new FrameBatch();
  /** Buffers with frames in them, in the order they were filled. */
  #pending: SocketBuffer[] = [];
  #isScheduled = false;

  add(buffer: SocketBuffer, frame: Frame): void {
    if (!this.#isScheduled) {
      // Also for large batches written at once: the flush drops the shared sequences.
      this.#isScheduled = true;
      queueMicrotask(() => this.#flushAll());
    }
    if (buffer.batch === undefined) this.#pending.push(buffer);
    buffer.batch = (buffer.batch ?? this.#empty).with(frame);
    if (buffer.batch.size > maxWriteBytes) this.flush(buffer);
  }

  /** Writes the pending frames of a socket now, for example before it closes. */
  flush(buffer: SocketBuffer): void {
    const { batch } = buffer;
    buffer.batch = undefined;
    if (batch === undefined) return;
    buffer.wire.write(batch.bytes);
    if (buffer.wire.writableLength > 0) buffer.onBackpressure();
  }

  #flushAll(): void {
    this.#isScheduled = false;
    this.#empty = new FrameBatch();
    const due = this.#pending;
    this.#pending = [];
    for (const buffer of due) this.flush(buffer);
  }
}
