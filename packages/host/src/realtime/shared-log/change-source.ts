// Chooses where a host reads changes: from the log that hosts share, or from Postgres itself.

import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { HostContext } from "../../context.ts";
import type { WalItem } from "../postgres-changes/pgoutput.ts";
import type { WalStream } from "../postgres-changes/replication-slot.ts";
import { openWalStream, type WalStreamListener } from "../postgres-changes/wal-stream.ts";
import type { SubscriptionRegistry } from "../postgres-changes/subscription-registry.ts";
import { Announcer } from "./announcements.ts";
import { RecipientDecider } from "./recipient-decider.ts";
import { followLog, LogUnavailableError } from "./log-follower.ts";
import { SharedDecoder, type DecoderFigures } from "./shared-decoder.ts";
import type { SharedLog } from "./shared-log.ts";

/** How often a host that reads for itself looks whether the shared log is back. */
const returnPollMs = 5_000;
/** How often a host tells what it subscribes to. */
const announceEveryMs = 1_000;

/** How long the lag of a change is told. */
const lagCountsMs = 60_000;

/** What a source of changes does, for monitoring. */
export interface SourceFigures {
  /** Undefined where each host reads the log for itself, and until the first client has joined. */
  decoder: DecoderFigures | undefined;
  /** True while this host reads the log for itself. */
  isOwn: boolean;
  /** Items that this host received, whether it has subscribers for them or not. */
  received: number;
  /** Milliseconds from the commit of the last change until this host had it. */
  lagMs: number;
}

/** Where changes come from. */
export interface ChangeSource {
  figures: () => SourceFigures;
  /**
   * Opens a stream of every later commit.
   * @throws when the log cannot be read
   */
  open: (listener: WalStreamListener) => Promise<WalStream>;
  close: () => Promise<void>;
}

/** Counts what a stream delivers. */
class Received {
  count = 0;
  #lagMs = 0;
  #at = 0;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** 0 when nothing came for a while: a single late change must not count for hours. */
  get lagMs(): number {
    return this.#now() - this.#at < lagCountsMs ? this.#lagMs : 0;
  }

  countIn(listener: WalStreamListener): WalStreamListener {
    return {
      ...listener,
      onItem: (item, bytes) => {
        this.count += 1;
        if (item.kind === "change") {
          this.#at = this.#now();
          this.#lagMs = Math.max(0, this.#at - item.change.committedAt);
        }
        listener.onItem(item, bytes);
      },
    };
  }
}

/** The write-ahead log, read by each host for itself. */
export function ownSource(url: string, now: () => number): ChangeSource {
  const received = new Received(now);
  return {
    figures: () => ({
      decoder: undefined,
      isOwn: true,
      received: received.count,
      lagMs: received.lagMs,
    }),
    open: async (listener) => await openWalStream(url, received.countIn(listener)),
    close: async () => await Promise.resolve(),
  };
}

/** The log one host decodes for all; while it can't be reached, the write-ahead log. */
export class SharedSource implements ChangeSource {
  readonly #url: string;
  readonly #log: SharedLog;
  readonly #logger: Logger;
  readonly #decoder: SharedDecoder;
  readonly #received: Received;
  /** How hosts know this one. */
  readonly #host = randomUUID();
  readonly #announcer: Announcer;
  #unsent: Buffer | undefined;
  #announcing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isOwn = false;
  #isOpened = false;
  #isClosed = false;

  /** @param isShared true for items that other hosts have a use for */
  constructor(
    { db, log, now }: Pick<HostContext, "db" | "log" | "now">,
    sharedLog: SharedLog,
    subscriptions: SubscriptionRegistry,
    isShared: (item: WalItem) => boolean,
  ) {
    this.#url = db.url;
    this.#log = sharedLog;
    this.#logger = log;
    this.#received = new Received(now);
    this.#announcer = new Announcer(subscriptions);
    const decider = new RecipientDecider(db, sharedLog, log, now);
    this.#decoder = new SharedDecoder({
      url: db.url,
      log: sharedLog,
      logger: log,
      isShared,
      decider,
    });
  }

  figures(): SourceFigures {
    const { count: received, lagMs } = this.#received;
    // Before the first join Redis was not asked, which must not look as if it were gone.
    const decoder = this.#isOpened ? this.#decoder.figures : undefined;
    return { decoder, isOwn: this.#isOwn, received, lagMs };
  }

  async open(listener: WalStreamListener): Promise<WalStream> {
    this.#decoder.start();
    this.#isOpened = true;
    this.#timer ??= setInterval(() => {
      this.#announcing ??= this.#announce()
        // Tried again with the next tick.
        .catch(() => undefined)
        .finally(() => (this.#announcing = undefined));
    }, announceEveryMs).unref();
    const counted = this.#received.countIn(listener);
    try {
      const stream = await followLog(
        { log: this.#log, host: this.#host },
        counted,
        () => !this.#isClosed,
      );
      this.#isOwn = false;
      return stream;
    } catch (error) {
      if (!(error instanceof LogUnavailableError) || this.#isClosed) throw error;
      this.#logger.warn({ err: error }, "this host reads the write-ahead log for itself");
      return await this.#openOwn(counted);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#announcing;
    await this.#decoder.stop();
    await this.#log.close();
  }

  async #announce(): Promise<void> {
    this.#unsent = this.#announcer.next() ?? this.#unsent;
    const isKept = await this.#log.announce(this.#host, this.#announcer.version, this.#unsent);
    this.#unsent = undefined;
    if (!isKept) this.#announcer.forget();
  }

  /** Ends with a named gap once the shared log is back. */
  async #openOwn(listener: WalStreamListener): Promise<WalStream> {
    const stream = await openWalStream(this.#url, listener);
    this.#isOwn = true;
    const timer = setInterval(() => {
      this.#log.state().then(
        (state) => {
          if (state?.isDecoded !== true || this.#isClosed) return;
          clearInterval(timer);
          listener.onLost(new Error("The shared log is back."));
        },
        () => undefined,
      );
    }, returnPollMs);
    timer.unref();
    return {
      ...stream,
      close: async () => {
        clearInterval(timer);
        await stream.close();
      },
    };
  }
}
