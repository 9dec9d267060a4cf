import type { HostContext } from "../../context.ts";
import { deliverChange, type ResolvedChange } from "./deliver-change.ts";
import { FilterEvaluator } from "./filter-evaluator.ts";
import type { WalItem, Relation, RowChange } from "./pgoutput.ts";
import { ChangeDispatcher } from "./change-dispatcher.ts";
import { SubscriptionRegistry } from "./subscription-registry.ts";
import { VisibilityResolver } from "./visibility-resolver.ts";
import { openWalStream, type WalStream } from "./wal-stream.ts";

/** Changes settled together; one round of questions to the database serves them all. */
const maxChangesPerBatch = 200;
/** Reading stops above this many waiting items, and goes on below a quarter of it. */
const maxQueuedItems = 4_000;
/** The same for what they hold, in bytes as the log has them. */
const maxQueuedBytes = 32 * 1024 * 1024;
const retryDelayMs = 2_000;

/** Whoever wants what the log carries besides changes of tables. */
export interface ChangeFeedListener {
  /** The log is being read, from now on. */
  onOpen: () => void;
  /** A row of realtime.messages was committed. */
  onBroadcastRow: (change: RowChange) => void;
  /** Another host, or this one, wrote to the log directly. */
  onLogicalMessage: (prefix: string, content: Buffer) => void;
}

/** Reads committed changes and tells subscribers, in commit order. Opens on the first need of it. */
export class ChangeFeed {
  readonly subscriptions = new SubscriptionRegistry();
  readonly #context: HostContext;
  readonly #listener: ChangeFeedListener;
  readonly #visibility: VisibilityResolver;
  readonly #dispatcher: ChangeDispatcher;
  #opening: Promise<void> | undefined;
  #stream: WalStream | undefined;
  #queue: { item: WalItem; bytes: number }[] = [];
  #queueBytes = 0;
  #pumping: Promise<void> | undefined;
  #isPaused = false;
  #isClosed = false;
  #retry: NodeJS.Timeout | undefined;

  constructor(context: HostContext, listener: ChangeFeedListener) {
    this.#context = context;
    this.#listener = listener;
    const { db, log } = context;
    this.#visibility = new VisibilityResolver(db, log);
    const verdicts = new FilterEvaluator(db.background, log, (relation, text) =>
      this.subscriptions.suspendFilter(relation, text),
    );
    this.#dispatcher = new ChangeDispatcher(db.background, verdicts, this.#visibility);
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
      onItem: (item, bytes) => this.#enqueue(item, bytes),
      onLost: (reason) => this.#handleLostStream(reason),
    });
    if (this.#isClosed) await stream.close();
    else {
      this.#stream = stream;
      this.#listener.onOpen();
    }
  }

  #retryLater(): void {
    if (this.#isClosed || this.#retry !== undefined) return;
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.open().catch(() => undefined);
    }, retryDelayMs);
    this.#retry.unref();
  }

  /** What was not read or not told is lost to subscribers; they are made to look for themselves. */
  #handleLostStream(reason: unknown): void {
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
    for (const subscriber of this.subscriptions.allSubscribers()) subscriber.interrupt();
    this.#retryLater();
  }

  #enqueue(item: WalItem, bytes: number): void {
    if (item.kind === "change" && !this.#isRelevant(item.change.relation)) return;
    this.#queue.push({ item, bytes });
    this.#queueBytes += bytes;
    const isFull = this.#queue.length > maxQueuedItems || this.#queueBytes > maxQueuedBytes;
    if (isFull && !this.#isPaused) {
      this.#isPaused = true;
      this.#stream?.pause();
    }
    this.#pumping ??= this.#pump();
  }

  #isRelevant(relation: Relation): boolean {
    return isMessagesTable(relation) || this.subscriptions.hasSubscribers(relation);
  }

  async #pump(): Promise<void> {
    try {
      // What arrived in the same read is settled together: it is accepted before this goes on.
      await Promise.resolve();
      while (this.#queue.length > 0) {
        const taken = this.#queue.splice(0, maxChangesPerBatch);
        for (const { bytes } of taken) this.#queueBytes -= bytes;
        const batch = taken.map(({ item }) => item);
        const stream = this.#stream;
        const settled = await this.#resolveRecipients(batch);
        // A stream lost meanwhile has told everybody to start over.
        if (stream !== this.#stream && this.#stream === undefined) break;
        for (const item of batch) this.#dispatch(item, settled);
        const hasRoom =
          this.#queue.length < maxQueuedItems / 4 && this.#queueBytes < maxQueuedBytes / 4;
        if (this.#isPaused && hasRoom) {
          this.#isPaused = false;
          this.#stream?.resume();
        }
      }
    } catch (error) {
      this.#handleLostStream(error);
    } finally {
      this.#pumping = undefined;
    }
  }

  async #resolveRecipients(batch: readonly WalItem[]): Promise<Map<RowChange, ResolvedChange>> {
    const byRelation = new Map<Relation, RowChange[]>();
    for (const item of batch) {
      if (item.kind !== "change") continue;
      const { relation } = item.change;
      if (!this.subscriptions.hasSubscribers(relation)) continue;
      byRelation.set(relation, [...(byRelation.get(relation) ?? []), item.change]);
    }
    const settled = new Map<RowChange, ResolvedChange>();
    for (const [relation, changes] of byRelation) {
      const subscribers = this.subscriptions.subscribersOf(relation);
      const results = await this.#dispatcher.resolveRecipients(relation, changes, subscribers);
      for (const result of results) settled.set(result.change, result);
    }
    return settled;
  }

  #dispatch(item: WalItem, settled: ReadonlyMap<RowChange, ResolvedChange>): void {
    if (item.kind === "message") {
      this.#listener.onLogicalMessage(item.prefix, item.content);
      return;
    }
    if (isMessagesTable(item.change.relation)) this.#listener.onBroadcastRow(item.change);
    const result = settled.get(item.change);
    if (result !== undefined) deliverChange(result);
  }
}

function isMessagesTable(relation: Relation): boolean {
  return relation.schema === "realtime" && relation.table === "messages";
}
