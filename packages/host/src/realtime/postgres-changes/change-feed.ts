// Drives `postgres_changes`: reads the log and delivers in batches, with backpressure and reconnection.

import type { HostContext } from "../../context.ts";
import { deliverChange, type ResolvedChange } from "./deliver-change.ts";
import { FilterEvaluator } from "./filter-evaluator.ts";
import type { WalItem, WalRelation, WalRowChange } from "./pgoutput.ts";
import { ChangeDispatcher } from "./change-dispatcher.ts";
import { SubscriptionRegistry } from "./subscription-registry.ts";
import { VisibilityResolver } from "./visibility-resolver.ts";
import type { WalStream } from "./replication-slot.ts";
import type { ChangeSource, SourceFigures } from "../shared-log/change-source.ts";

/** Changes resolved together with one round of queries. */
const maxChangesPerBatch = 200;
/** Reading pauses above this many queued items, and resumes below a quarter of it. */
const maxQueuedItems = 4_000;
/** The same for their size in the log, in bytes. */
const maxQueuedBytes = 32 * 1024 * 1024;
const retryDelayMs = 2_000;

/** Receives what the log carries besides changes of subscribed tables. */
export interface ChangeFeedListener {
  /** The log is read from now on. */
  onOpen: () => void;
  /** A row of realtime.messages was committed. */
  onBroadcastRow: (change: WalRowChange) => void;
  /** A logical message, written by another host or this one. */
  onLogicalMessage: (prefix: string, content: Buffer) => void;
}

/** Reads committed changes and delivers them to subscribers in commit order. Opens with the first join. */
export class ChangeFeed {
  readonly subscriptions = new SubscriptionRegistry();
  readonly #context: HostContext;
  readonly #source: ChangeSource;
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

  constructor(
    context: HostContext,
    sourceFor: (subscriptions: SubscriptionRegistry) => ChangeSource,
    listener: ChangeFeedListener,
  ) {
    this.#context = context;
    this.#source = sourceFor(this.subscriptions);
    this.#listener = listener;
    const { db, log, now } = context;
    this.#visibility = new VisibilityResolver(db, log, now);
    const filterEvaluator = new FilterEvaluator({ db: db.background, log, now }, (relation, text) =>
      this.subscriptions.suspendFilter(relation, text),
    );
    this.#dispatcher = new ChangeDispatcher(db.background, filterEvaluator, this.#visibility);
  }

  /**
   * Resolves once every later commit will be read.
   * @throws when the log cannot be read; retries go on in the background
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

  /** Opens the stream again if it was lost; false when the log cannot be read. */
  async isOpen(): Promise<boolean> {
    return await this.open().then(
      () => true,
      () => false,
    );
  }

  get figures(): SourceFigures {
    return this.#source.figures();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    await this.#source.close();
    await this.#opening?.catch(() => undefined);
    await this.#stream?.close();
    this.#stream = undefined;
    this.#queue = [];
    this.#queueBytes = 0;
    // Running queries are cancelled. The pump may start one more over a new connection, released below.
    this.#visibility.release();
    await this.#pumping;
    this.#visibility.release();
  }

  async #connect(): Promise<void> {
    const stream = await this.#source.open({
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

  /** Changes may be lost, so all subscribers are interrupted: they join again and read what they missed. */
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

  #isRelevant(relation: WalRelation): boolean {
    return isMessagesTable(relation) || this.subscriptions.hasSubscribers(relation);
  }

  async #pump(): Promise<void> {
    try {
      // Waits until everything of the same read is queued, so that it is resolved together.
      await Promise.resolve();
      while (this.#queue.length > 0) {
        const taken = this.#queue.splice(0, maxChangesPerBatch);
        for (const { bytes } of taken) this.#queueBytes -= bytes;
        const batch = taken.map(({ item }) => item);
        const stream = this.#stream;
        const resolved = await this.#resolveRecipients(batch);
        // If the stream was lost meanwhile, all subscribers have been interrupted.
        if (stream !== this.#stream && this.#stream === undefined) break;
        for (const item of batch) this.#dispatch(item, resolved);
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

  async #resolveRecipients(batch: readonly WalItem[]): Promise<Map<WalRowChange, ResolvedChange>> {
    const byRelation = new Map<WalRelation, WalRowChange[]>();
    for (const item of batch) {
      if (item.kind !== "change") continue;
      const { relation } = item.change;
      if (!this.subscriptions.hasSubscribers(relation)) continue;
      byRelation.set(relation, [...(byRelation.get(relation) ?? []), item.change]);
    }
    const resolved = new Map<WalRowChange, ResolvedChange>();
    for (const [relation, changes] of byRelation) {
      const subscribers = this.subscriptions.subscribersOf(relation);
      const results = await this.#dispatcher.resolveRecipients(relation, changes, subscribers);
      for (const result of results) resolved.set(result.change, result);
    }
    return resolved;
  }

  #dispatch(item: WalItem, resolved: ReadonlyMap<WalRowChange, ResolvedChange>): void {
    if (item.kind === "message") {
      this.#listener.onLogicalMessage(item.prefix, item.content);
      return;
    }
    if (isMessagesTable(item.change.relation)) this.#listener.onBroadcastRow(item.change);
    const result = resolved.get(item.change);
    if (result !== undefined) deliverChange(result);
  }
}

function isMessagesTable(relation: WalRelation): boolean {
  return relation.schema === "realtime" && relation.table === "messages";
}
