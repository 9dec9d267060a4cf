// One host's term in the decoder's seat: it reads the log over its slot and appends it to the shared one.

import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "pino";
import type { WalItem, WalPlace } from "../postgres-changes/pgoutput.ts";
import type { ReplicationSlot, WalStream } from "../postgres-changes/replication-slot.ts";
import { encodeEntry, EntryQueue, type PackedEntry } from "./log-entries.ts";
import type { RecipientDecider } from "./recipient-decider.ts";
import { seatMs, SeatLostError, type LogState, type SharedLog } from "./shared-log.ts";

const retryMs = 100;
/**
 * The least time between two entries, so that in a busy time each carries several changes: what a host pays to read an
 * entry and to write to a socket is for the entry, not for the change. A change after a pause goes out at once.
 */
const entryEveryMs = 25;
/** Reading pauses above this many unpublished bytes, and resumes below a quarter. */
const maxQueuedBytes = 32 * 1024 * 1024;
/** Clients get no row of more than a mebibyte as a whole; one above this limit is not carried. */
const maxItemBytes = 16 * 1024 * 1024;
/** Entries are kept for followers that fall behind, up to this many and this many bytes. */
const maxKeptEntries = 20_000;
const maxKeptBytes = 64 * 1024 * 1024;

/** What a decoder needs. */
export interface SharedDecoderOptions {
  /** Connection string of the owner. */
  url: string;
  log: SharedLog;
  logger: Logger;
  /** True for items that other hosts have a use for. */
  isShared: (item: WalItem) => boolean;
  decider: RecipientDecider;
}

function isAfter(place: WalPlace, last: WalPlace): boolean {
  return place.lsn > last.lsn || (place.lsn === last.lsn && place.index > last.index);
}

/** A term in the decoder's seat. */
export class DecoderTerm {
  readonly #options: SharedDecoderOptions;
  readonly #token: string;
  readonly #onEnd: (reason: unknown) => void;
  readonly #queue = new EntryQueue();
  /** Sequence and size of the entries of this term that are kept. */
  readonly #kept: { sequence: number; bytes: number }[] = [];
  #keptBytes = 0;
  /** The last entry before this term. */
  readonly #head: number;
  #state: LogState;
  #received: bigint;
  /** Every transaction committed up to here is published. Never goes back: the host that stands by follows it. */
  #processed: bigint;
  #stream: WalStream | undefined;
  #publishing: Promise<void> | undefined;
  #isPaused = false;
  #isOver = false;
  readonly #onPublished: (items: number) => void;
  #heldAt = performance.now();
  #appendedAt = -entryEveryMs;

  constructor(
    options: SharedDecoderOptions,
    token: string,
    state: LogState,
    on: { end: (reason: unknown) => void; published: (items: number) => void },
  ) {
    this.#options = options;
    this.#token = token;
    this.#state = state;
    this.#head = state.head;
    this.#received = state.position;
    this.#processed = state.position;
    this.#onEnd = on.end;
    this.#onPublished = on.published;
  }

  async start(slot: ReplicationSlot): Promise<void> {
    const { place } = this.#state;
    this.#stream = await slot.stream({
      onMessage: (raw, item, position) => {
        this.#advance(position);
        this.#queue.remember(raw);
        if (item === undefined || !isAfter(item.place, place) || !this.#options.isShared(item))
          return;
        this.#queue.add(raw, item, position);
        this.#publishing ??= this.#publish();
        if (this.#queue.bytes > maxQueuedBytes && !this.#isPaused) {
          this.#isPaused = true;
          this.#stream?.pause();
        }
      },
      onIdle: (position) => this.#advance(position),
      processed: () => this.#processed,
      onLost: (reason) => this.#end(reason),
    });
  }

  /** Keeps the seat. */
  async hold(): Promise<void> {
    const { log } = this.#options;
    try {
      if (!(await log.hold("decoder", this.#token))) throw new SeatLostError("The seat was lost.");
      await log.note(this.#token, this.#state.run, this.#processed);
      this.#heldAt = performance.now();
      await this.#options.decider.refresh();
    } catch (error) {
      if (error instanceof SeatLostError || this.#isExpired) this.#end(error);
      else throw error;
    }
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await this.#stream?.close();
    this.#options.decider.close();
    await this.#publishing;
    this.#options.decider.close();
    await this.#options.log.release("decoder", this.#token).catch(() => undefined);
  }

  /** Bytes of the log that were received and are not published yet. */
  get lagBytes(): number {
    return Number(this.#received - this.#processed);
  }

  /** What was published before this term may come again. */
  #advance(position: bigint): void {
    if (position > this.#received) this.#received = position;
    if (this.#publishing === undefined) this.#processed = this.#received;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get #isExpired(): boolean {
    return performance.now() - this.#heldAt > seatMs;
  }

  #end(reason: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onEnd(reason);
  }

  async #publish(): Promise<void> {
    // Waits until everything of the same read is queued, so that it goes into one entry.
    await Promise.resolve();
    try {
      while (!this.#queue.isEmpty) {
        if (!this.#queue.hasFullEntry) await this.#waitForMore();
        const entry = this.#queue.take();
        if (entry === undefined || this.#isOver) break;
        await this.#append(entry);
        this.#appendedAt = performance.now();
        if (this.#isPaused && this.#queue.bytes < maxQueuedBytes / 4) {
          this.#isPaused = false;
          this.#stream?.resume();
        }
      }
      if (this.#isOver) return;
      this.#publishing = undefined;
      this.#processed = this.#received;
    } catch (error) {
      this.#end(error);
    }
  }

  async #waitForMore(): Promise<void> {
    const ms = this.#appendedAt + entryEveryMs - performance.now();
    if (ms > 0) await wait(ms);
  }

  /** Appends an entry, again and again while the store can't be reached and the seat may still be this host's. */
  async #append({ messages, items, place, position: upTo }: PackedEntry): Promise<void> {
    const position = upTo > this.#processed ? upTo : this.#processed;
    const { run, head } = this.#state;
    const isTooLarge = messages.some(({ length }) => length > maxItemBytes);
    // A number that is left out is a gap, so that subscribers join again and read the row.
    const sequence = isTooLarge ? head + 2 : head + 1;
    const bytes = isTooLarge
      ? encodeEntry([], undefined)
      : encodeEntry(messages, await this.#options.decider.decide(items));
    const oldest = this.#keep(sequence, bytes.length);
    for (;;) {
      try {
        const entry = { run, sequence, bytes, oldest, place, position };
        await this.#options.log.append(this.#token, entry);
        this.#state = { ...this.#state, head: sequence, place, position };
        this.#processed = position;
        this.#onPublished(items.length);
        return;
      } catch (error) {
        if (error instanceof SeatLostError || this.#isExpired || this.#isOver) throw error;
        await wait(retryMs);
      }
    }
  }

  /** Counts an entry, and returns the oldest one that is kept. */
  #keep(sequence: number, bytes: number): number {
    this.#kept.push({ sequence, bytes });
    this.#keptBytes += bytes;
    while (
      this.#kept.length > 1 &&
      (this.#keptBytes > maxKeptBytes || this.#kept.length > maxKeptEntries)
    ) {
      this.#keptBytes -= this.#kept.shift()?.bytes ?? 0;
    }
    // Those of earlier terms go with the first one of this term that goes.
    const [first] = this.#kept;
    const isFull = this.#kept.length < sequence - this.#head;
    return isFull ? (first?.sequence ?? sequence) : Math.max(1, sequence - maxKeptEntries);
  }
}
