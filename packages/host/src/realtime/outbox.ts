import type { Writable } from "node:stream";
import type { Frame } from "./frames.ts";

/** More than this goes to a socket in several writes, so that a large batch is not held twice over. */
const LARGEST_WRITE_BYTES = 64 * 1024;

/** Frames on their way to one or many sockets; whoever gets the same frames shares the bytes. */
class Parcel {
  readonly size: number;
  readonly #before: Parcel | undefined;
  readonly #frame: Frame | undefined;
  readonly #longer = new Map<Frame, Parcel>();
  #bytes: Buffer | undefined;

  constructor(before?: Parcel, frame?: Frame) {
    this.#before = before;
    this.#frame = frame;
    this.size = (before?.size ?? 0) + (frame?.bytes.length ?? 0);
  }

  with(frame: Frame): Parcel {
    let longer = this.#longer.get(frame);
    if (longer === undefined) {
      longer = new Parcel(this, frame);
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

/** Where a socket's frames wait. What lies in it is the outbox's business. */
export class Tray {
  readonly wire: Pick<Writable, "write" | "writableLength">;
  /** Called when the wire did not hand everything on at once. */
  readonly held: () => void;
  parcel: Parcel | undefined;

  /** @param wire takes whole frames, already framed */
  constructor(wire: Pick<Writable, "write" | "writableLength">, held: () => void) {
    this.wire = wire;
    this.held = held;
  }
}

/**
 * Collects what is sent in one go and writes once to each socket. Writing is what telling many costs (a
 * call into the kernel for each), so a batch of changes costs hardly more than one of them.
 */
export class Outbox {
  #empty = new Parcel();
  /** Those with something in them, in the order they got it. */
  #due: Tray[] = [];
  #isScheduled = false;

  add(tray: Tray, frame: Frame): void {
    if (!this.#isScheduled) {
      // Also for what is written at once: the flush lets go of the frames that are shared until then.
      this.#isScheduled = true;
      queueMicrotask(() => this.#flushAll());
    }
    if (tray.parcel === undefined) this.#due.push(tray);
    tray.parcel = (tray.parcel ?? this.#empty).with(frame);
    if (tray.parcel.size > LARGEST_WRITE_BYTES) this.flush(tray);
  }

  /** Writes now what waits for this socket, such as before it is closed. */
  flush(tray: Tray): void {
    const { parcel } = tray;
    tray.parcel = undefined;
    if (parcel === undefined) return;
    tray.wire.write(parcel.bytes);
    if (tray.wire.writableLength > 0) tray.held();
  }

  #flushAll(): void {
    this.#isScheduled = false;
    this.#empty = new Parcel();
    const due = this.#due;
    this.#due = [];
    for (const tray of due) this.flush(tray);
  }
}
