import type { Frame } from "./frames.ts";

/** More than this goes to a socket in several writes, so that a large batch is not held twice over. */
const LARGEST_WRITE_BYTES = 64 * 1024;

/** A socket as the outbox sees it. */
export interface Recipient {
  /** Writes whole frames, already framed for the wire. */
  write: (bytes: Buffer) => void;
}

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

/**
 * Collects what is sent in one go and writes once to each socket. Writing is what telling many costs (a
 * call into the kernel for each), so a batch of changes costs hardly more than one of them.
 */
export class Outbox {
  #empty = new Parcel();
  #due = new Map<Recipient, Parcel>();
  #isScheduled = false;

  add(recipient: Recipient, frame: Frame): void {
    if (!this.#isScheduled) {
      // Also for what is written at once: the flush lets go of the frames that are shared until then.
      this.#isScheduled = true;
      queueMicrotask(() => this.#flushAll());
    }
    const parcel = (this.#due.get(recipient) ?? this.#empty).with(frame);
    if (parcel.size > LARGEST_WRITE_BYTES) {
      this.#due.delete(recipient);
      recipient.write(parcel.bytes);
      return;
    }
    this.#due.set(recipient, parcel);
  }

  /** Writes now what waits for this socket, such as before it is closed. */
  flush(recipient: Recipient): void {
    const parcel = this.#due.get(recipient);
    this.#due.delete(recipient);
    if (parcel !== undefined) recipient.write(parcel.bytes);
  }

  #flushAll(): void {
    this.#isScheduled = false;
    this.#empty = new Parcel();
    const due = this.#due;
    this.#due = new Map();
    for (const [recipient, parcel] of due) recipient.write(parcel.bytes);
  }
}
