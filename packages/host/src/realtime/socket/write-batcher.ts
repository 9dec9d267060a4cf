import type { Writable } from "node:stream";
import type { Frame } from "./frames.ts";

/** More than this goes to a socket in several writes, so that a large batch is not held twice over. */
const maxWriteBytes = 64 * 1024;

/** Frames on their way to one or many sockets; whoever gets the same frames shares the bytes. */
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

/** Where a socket's frames wait. What lies in it is the batcher's business. */
export class SocketBuffer {
  readonly wire: Pick<Writable, "write" | "writableLength">;
  /** Called when the wire did not hand everything on at once. */
  readonly onBackpressure: () => void;
  batch: FrameBatch | undefined;

  /** @param wire takes whole frames, already framed */
  constructor(wire: Pick<Writable, "write" | "writableLength">, held: () => void) {
    this.wire = wire;
    this.onBackpressure = held;
  }
}

/**
 * Collects what is sent in one go and writes once to each socket. Writing is what telling many costs (a
 * call into the kernel for each), so a batch of changes costs hardly more than one of them.
 */
export class WriteBatcher {
  #empty = new FrameBatch();
  /** Those with something in them, in the order they got it. */
  #pending: SocketBuffer[] = [];
  #isScheduled = false;

  add(buffer: SocketBuffer, frame: Frame): void {
    if (!this.#isScheduled) {
      // Also for what is written at once: the flush lets go of the frames that are shared until then.
      this.#isScheduled = true;
      queueMicrotask(() => this.#flushAll());
    }
    if (buffer.batch === undefined) this.#pending.push(buffer);
    buffer.batch = (buffer.batch ?? this.#empty).with(frame);
    if (buffer.batch.size > maxWriteBytes) this.flush(buffer);
  }

  /** Writes now what waits for this socket, such as before it is closed. */
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
