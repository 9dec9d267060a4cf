import type { HostContext } from "../../context.ts";
import { deliver, type SettledChange } from "./deliver.ts";
import { FilterVerdicts } from "./filter-verdicts.ts";
import type { Decoded, Relation, RowChange } from "./pgoutput.ts";
import { Settler } from "./settle.ts";
import { Subscriptions } from "./subscriptions.ts";
import { Visibility } from "./visibility.ts";
import { openWalStream, type WalStream } from "./wal-stream.ts";

/** Changes settled together; one round of questions to the database serves them all. */
const BATCH = 200;
/** Reading stops above this many waiting items, and goes on below a quarter of it. */
const HIGH_WATER = 4_000;
/** The same for what they hold, in bytes as the log has them. */
const HIGH_WATER_BYTES = 32 * 1024 * 1024;
const RETRY_MS = 2_000;

/** Whoever wants what the log carries besides changes of tables. */
export interface FeedListener {
  /** The log is being read, from now on. */
  opened: () => void;
  /** A row of realtime.messages was committed. */
  message: (change: RowChange) => void;
  /** Another host, or this one, wrote to the log directly. */
  relayed: (prefix: string, content: Buffer) => void;
}

/** Reads committed changes and tells subscribers, in commit order. Opens on the first need of it. */
export class ChangeFeed {
  readonly subscriptions = new Subscriptions();
  readonly #context: HostContext;
  readonly #listener: FeedListener;
  readonly #visibility: Visibility;
  readonly #settler: Settler;
  #opening: Promise<void> | undefined;
  #stream: WalStream | undefined;
  #queue: { item: Decoded; bytes: number }[] = [];
  #queueBytes = 0;
  #pumping: Promise<void> | undefined;
  #isPaused = false;
  #isClosed = false;
  #retry: NodeJS.Timeout | undefined;

  constructor(context: HostContext, listener: FeedListener) {
    this.#context = context;
    this.#listener = listener;
    const { db, log } = context;
    this.#visibility = new Visibility(db, log);
    const verdicts = new FilterVerdicts(db.background, log, (relation, text) =>
      this.subscriptions.leaveOut(relation, text),
    );
    this.#settler = new Settler(db.background, verdicts, this.#visibility);
  }

  /** True while changes are being read. */
  get isOpen(): boolean {
    return this.#stream !== undefined;
  }

  /**
   * Resolves once every later commit will be seen.
   * @throws when the log cannot be read; it is tried again in the background
   */
  async open(): Promise<void> {
    if (this.#isClosed) throw new Error("Realtime is closing.");
    this.#opening ??= this.#connect().catch((error: unknown) => {
      this.#opening = undefined;
      this.#retryLater();
      throw error;
    });
    await this.#opening;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    await this.#opening?.catch(() => undefined);
    await this.#stream?.close();
    this.#stream = undefined;
    this.#queue = [];
    this.#queueBytes = 0;
    // What is being asked is given up. Whoever asks may have one more question, over a connection taken anew.
    this.#visibility.release();
    await this.#pumping;
    this.#visibility.release();
  }

  async #connect(): Promise<void> {
    const stream = await openWalStream(this.#context.db.url, {
      decoded: (item, bytes) => this.#accept(item, bytes),
      lost: (reason) => this.#lose(reason),
    });
    if (this.#isClosed) await stream.close();
    else {
      this.#stream = stream;
      this.#listener.opened();
    }
  }

  #retryLater(): void {
    if (this.#isClosed || this.#retry !== undefined) return;
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.open().catch(() => undefined);
    }, RETRY_MS);
    this.#retry.unref();
  }

  /** What was not read or not told is lost to subscribers; they are made to look for themselves. */
  #lose(reason: unknown): void {
    if (this.#isClosed) return;
    this.#context.log.warn({ err: reason }, "the stream of changes broke off");
    const stream = this.#stream;
    this.#stream = undefined;
    this.#opening = undefined;
    this.#queue = [];
    this.#queueBytes = 0;
    this.#isPaused = false;
    this.#visibility.release();
    void stream?.close();
    for (const subscriber of this.subscriptions.subscribers()) subscriber.interrupted();
    this.#retryLater();
  }

  #accept(item: Decoded, bytes: number): void {
    if (item.kind === "change" && !this.#isWanted(item.change.relation)) return;
    this.#queue.push({ item, bytes });
    this.#queueBytes += bytes;
    const isFull = this.#queue.length > HIGH_WATER || this.#queueBytes > HIGH_WATER_BYTES;
    if (isFull && !this.#isPaused) {
      this.#isPaused = true;
      this.#stream?.pause();
    }
    this.#pumping ??= this.#pump();
  }

  #isWanted(relation: Relation): boolean {
    return isMessages(relation) || this.subscriptions.hears(relation);
  }

  async #pump(): Promise<void> {
    try {
      // What arrived in the same read is settled together: it is accepted before this goes on.
      await Promise.resolve();
      while (this.#queue.length > 0) {
        const taken = this.#queue.splice(0, BATCH);
        for (const { bytes } of taken) this.#queueBytes -= bytes;
        const batch = taken.map(({ item }) => item);
        const stream = this.#stream;
        const settled = await this.#settle(batch);
        // A stream lost meanwhile has told everybody to start over.
        if (stream !== this.#stream && this.#stream === undefined) break;
        for (const item of batch) this.#tell(item, settled);
        const hasRoom =
          this.#queue.length < HIGH_WATER / 4 && this.#queueBytes < HIGH_WATER_BYTES / 4;
        if (this.#isPaused && hasRoom) {
          this.#isPaused = false;
          this.#stream?.resume();
        }
      }
    } catch (error) {
      this.#lose(error);
    } finally {
      this.#pumping = undefined;
    }
  }

  async #settle(batch: readonly Decoded[]): Promise<Map<RowChange, SettledChange>> {
    const byRelation = new Map<Relation, RowChange[]>();
    for (const item of batch) {
      if (item.kind !== "change") continue;
      const { relation } = item.change;
      if (!this.subscriptions.hears(relation)) continue;
      byRelation.set(relation, [...(byRelation.get(relation) ?? []), item.change]);
    }
    const settled = new Map<RowChange, SettledChange>();
    for (const [relation, changes] of byRelation) {
      const audience = this.subscriptions.audienceOf(relation);
      const results = await this.#settler.settle(relation, changes, audience);
      for (const result of results) settled.set(result.change, result);
    }
    return settled;
  }

  #tell(item: Decoded, settled: ReadonlyMap<RowChange, SettledChange>): void {
    if (item.kind === "message") {
      this.#listener.relayed(item.prefix, item.content);
      return;
    }
    if (isMessages(item.change.relation)) this.#listener.message(item.change);
    const result = settled.get(item.change);
    if (result !== undefined) deliver(result);
  }
}

function isMessages(relation: Relation): boolean {
  return relation.schema === "realtime" && relation.table === "messages";
}
