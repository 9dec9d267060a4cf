// Chooses where a host reads changes: from the log that hosts share, or from Postgres itself.

import type { Logger } from "pino";
import type { WalItem } from "../postgres-changes/pgoutput.ts";
import type { WalStream } from "../postgres-changes/replication-slot.ts";
import { openWalStream, type WalStreamListener } from "../postgres-changes/wal-stream.ts";
import { followLog, LogUnavailableError } from "./log-follower.ts";
import { SharedDecoder } from "./shared-decoder.ts";
import type { SharedLog } from "./shared-log.ts";

/** How often a host that reads for itself looks whether the shared log is back. */
const returnPollMs = 5_000;

/** Where changes come from. */
export interface ChangeSource {
  /**
   * Opens a stream of every later commit.
   * @throws when the log cannot be read
   */
  open: (listener: WalStreamListener) => Promise<WalStream>;
  close: () => Promise<void>;
}

/** The write-ahead log, read by each host for itself. */
export function ownSource(url: string): ChangeSource {
  return {
    open: async (listener) => await openWalStream(url, listener),
    close: async () => await Promise.resolve(),
  };
}

/** The log one host decodes for all; while it can't be reached, the write-ahead log. */
export class SharedSource implements ChangeSource {
  readonly #url: string;
  readonly #log: SharedLog;
  readonly #logger: Logger;
  readonly #decoder: SharedDecoder;
  #isClosed = false;

  /** @param isShared true for items that other hosts have a use for */
  constructor(
    { url, log, logger }: { url: string; log: SharedLog; logger: Logger },
    isShared: (item: WalItem) => boolean,
  ) {
    this.#url = url;
    this.#log = log;
    this.#logger = logger;
    this.#decoder = new SharedDecoder({ url, log, logger, isShared });
  }

  async open(listener: WalStreamListener): Promise<WalStream> {
    this.#decoder.start();
    try {
      const counted = { ...listener, onEntry: () => undefined };
      return await followLog(this.#log, counted, () => !this.#isClosed);
    } catch (error) {
      if (!(error instanceof LogUnavailableError) || this.#isClosed) throw error;
      this.#logger.warn({ err: error }, "this host reads the write-ahead log for itself");
      return await this.#openOwn(listener);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#decoder.stop();
    await this.#log.close();
  }

  /** Ends with a named gap once the shared log is back. */
  async #openOwn(listener: WalStreamListener): Promise<WalStream> {
    const stream = await openWalStream(this.#url, listener);
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
