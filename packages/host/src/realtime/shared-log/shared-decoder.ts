// Lets one host of a database decode the write-ahead log for all, and a second one stand by with a slot of its own.

import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "pino";
import type { WalItem, WalPlace } from "../postgres-changes/pgoutput.ts";
import { ReplicationSlot, type WalStream } from "../postgres-changes/replication-slot.ts";
import { encodeEntry, EntryQueue, type PackedEntry } from "./log-entries.ts";
import type { RecipientDecider } from "./recipient-decider.ts";
import { seatMs, SeatLostError, type LogState, type SharedLog } from "./shared-log.ts";

/** How often seats are held and asked for. */
const tickMs = 1_000;
const retryMs = 100;
/** A host that could not stand by waits this long before it tries again. */
const failedPauseMs = 2_000;
/** Reading pauses above this many unpublished bytes, and resumes below a quarter. */
const maxQueuedBytes = 32 * 1024 * 1024;
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

/** What a host does for the others. */
export interface DecoderFigures {
  role: "follower" | "standby" | "decoder";
  /** True when the store answered lately. */
  isReachable: boolean;
  /** Items published by this host. */
  published: number;
  /** Bytes of the log that were received and are not published yet. */
  lagBytes: number;
}

function isAfter(place: WalPlace, last: WalPlace): boolean {
  return place.lsn > last.lsn || (place.lsn === last.lsn && place.index > last.index);
}

/** A term in the decoder's seat. */
class Term {
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
  #stream: WalStream | undefined;
  #publishing: Promise<void> | undefined;
  #isPaused = false;
  #isOver = false;
  readonly #onPublished: (items: number) => void;
  #heldAt = performance.now();

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
    this.#onEnd = on.end;
    this.#onPublished = on.published;
  }

  async start(slot: ReplicationSlot): Promise<void> {
    const { place } = this.#state;
    this.#stream = await slot.stream({
      onMessage: (raw, item, position) => {
        this.#received = position;
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
      onIdle: (position) => {
        this.#received = position;
      },
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

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Every transaction committed up to here is published. */
  get #processed(): bigint {
    return this.#publishing === undefined ? this.#received : this.#state.position;
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
      for (
        let entry = this.#queue.take();
        entry !== undefined && !this.#isOver;
        entry = this.#queue.take()
      ) {
        await this.#append(entry);
        if (this.#isPaused && this.#queue.bytes < maxQueuedBytes / 4) {
          this.#isPaused = false;
          this.#stream?.resume();
        }
      }
      if (!this.#isOver) this.#publishing = undefined;
    } catch (error) {
      this.#end(error);
    }
  }

  /** Appends an entry, again and again while the store can't be reached and the seat may still be this host's. */
  async #append({ messages, items, place, position }: PackedEntry): Promise<void> {
    const { run, head } = this.#state;
    const sequence = head + 1;
    const bytes = encodeEntry(messages, await this.#options.decider.decide(items));
    const oldest = this.#keep(sequence, bytes.length);
    for (;;) {
      try {
        const entry = { run, sequence, bytes, oldest, place, position };
        await this.#options.log.append(this.#token, entry);
        this.#state = { ...this.#state, head: sequence, place, position };
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

/** Stands by, takes the decoder's seat when it is free, and gives both up when it can't go on. */
export class SharedDecoder {
  readonly #options: SharedDecoderOptions;
  readonly #token = randomUUID();
  #slot: ReplicationSlot | undefined;
  #creating: Promise<void> | undefined;
  #term: Term | undefined;
  #terms = 0;
  #ticking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pausedUntil = 0;
  #isReachable = false;
  #published = 0;
  #isClosed = false;

  constructor(options: SharedDecoderOptions) {
    this.#options = options;
  }

  get figures(): DecoderFigures {
    const role = this.#term ? "decoder" : this.#slot ? "standby" : "follower";
    const lagBytes = this.#term?.lagBytes ?? 0;
    return { role, isReachable: this.#isReachable, published: this.#published, lagBytes };
  }

  start(): void {
    if (this.#isClosed || this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#tick(), tickMs);
    this.#timer.unref();
    this.#tick();
  }

  async stop(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#ticking;
    await this.#creating;
    await this.#term?.close();
    this.#term = undefined;
    await this.#leaveStandby();
  }

  #tick(): void {
    this.#ticking ??= this.#takePart()
      .then(() => {
        this.#isReachable = true;
      })
      .catch((error: unknown) => {
        this.#isReachable = false;
        this.#options.logger.debug({ err: error }, "the shared log can't be reached");
      })
      .finally(() => (this.#ticking = undefined));
  }

  async #takePart(): Promise<void> {
    if (this.#isClosed) return;
    if (this.#term) return await this.#term.hold();
    if (this.#slot?.isLost === true) return await this.#leaveStandby();
    if (performance.now() < this.#pausedUntil) return;
    const { log } = this.#options;
    if (!(await log.hold("standby", this.#token))) {
      await this.#closeSlot();
      return;
    }
    if (this.#slot) await this.#standBy(this.#slot);
    else this.#creating ??= this.#createSlot();
  }

  /** In the background: Postgres may wait for long transactions, and the seat has to be kept meanwhile. */
  async #createSlot(): Promise<void> {
    try {
      this.#slot = await ReplicationSlot.create(this.#options.url);
    } catch (error) {
      this.#options.logger.warn({ err: error }, "the log can't be decoded by this host");
      this.#pausedUntil = performance.now() + failedPauseMs;
      await this.#leaveStandby();
    } finally {
      this.#creating = undefined;
    }
    if (this.#slot) this.#tick();
  }

  /** Takes the decoder's seat if it is free, else lets Postgres forget what was shared. */
  async #standBy(slot: ReplicationSlot): Promise<void> {
    const { log } = this.#options;
    this.#terms += 1;
    const token = `${this.#token}:${this.#terms}`;
    if (await log.hold("decoder", token)) {
      await this.#decode(slot, token);
      return;
    }
    const state = await log.state();
    if (state?.source === slot.source) await slot.advance(state.position);
  }

  async #decode(slot: ReplicationSlot, token: string): Promise<void> {
    const { log, logger } = this.#options;
    this.#slot = undefined;
    let term: Term | undefined;
    try {
      const known = await log.state();
      const continues =
        known !== undefined && known.source === slot.source && slot.confirmed <= known.position;
      const position = slot.confirmed;
      const state: LogState = continues
        ? known
        : {
            run: randomUUID(),
            source: slot.source,
            head: 0,
            place: { lsn: 0n, index: -1 },
            position,
          };
      if (!continues) await log.begin(token, state);
      term = new Term(this.#options, token, state, {
        end: (reason) => this.#endTerm(term, reason),
        published: (items) => (this.#published += items),
      });
      await term.start(slot);
      if (term.isOver) throw new Error("The log ended at once.");
      this.#term = term;
      await log.release("standby", this.#token);
      logger.info({ continues }, "this host decodes the log for all");
    } catch (error) {
      await slot.close();
      await term?.close();
      await log.release("decoder", token).catch(() => undefined);
      this.#pausedUntil = performance.now() + failedPauseMs;
      throw error;
    }
  }

  #endTerm(term: Term | undefined, reason: unknown): void {
    this.#options.logger.warn({ err: reason }, "this host no longer decodes the log");
    if (this.#term === term) this.#term = undefined;
    this.#pausedUntil = performance.now() + failedPauseMs;
    term?.close().catch(() => undefined);
  }

  async #leaveStandby(): Promise<void> {
    await this.#closeSlot();
    await this.#options.log.release("standby", this.#token).catch(() => undefined);
  }

  async #closeSlot(): Promise<void> {
    const slot = this.#slot;
    this.#slot = undefined;
    await slot?.close();
  }
}
