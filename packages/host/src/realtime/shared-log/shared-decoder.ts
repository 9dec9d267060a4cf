// Lets one host of a database decode the write-ahead log for all, and a second one stand by with a slot of its own.

import { randomUUID } from "node:crypto";
import { ReplicationSlot } from "../postgres-changes/replication-slot.ts";
import { DecoderTerm, type SharedDecoderOptions } from "./decoder-term.ts";
import type { LogState } from "./shared-log.ts";

/** How often seats are held and asked for. */
const tickMs = 1_000;
/** A host that could not stand by waits this long before it tries again. */
const failedPauseMs = 2_000;

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

/** Stands by, takes the decoder's seat when it is free, and gives both up when it can't go on. */
export class SharedDecoder {
  readonly #options: SharedDecoderOptions;
  readonly #token = randomUUID();
  #slot: ReplicationSlot | undefined;
  #creating: Promise<void> | undefined;
  #term: DecoderTerm | undefined;
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
    let term: DecoderTerm | undefined;
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
      if (continues) await log.note(token, state.run, state.position);
      else await log.begin(token, state);
      term = new DecoderTerm(this.#options, token, state, {
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

  #endTerm(term: DecoderTerm | undefined, reason: unknown): void {
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
