// How envelopes go from host to host: through Redis while all hosts hear it, else through the write-ahead log.

import type { HostContext } from "../../context.ts";
import { quietly } from "../../log-quietly.ts";
import type { PubSub } from "../../redis/pub-sub.ts";

/** Prefix of the logical messages hosts write for each other. */
export const clusterBusPrefix = "host-realtime";
/** Channel in Redis. */
const channel = "bus";

/** How an envelope went; `lost` when it could not be sent. */
export type Way = "redis" | "log" | "lost";

/** Sends each envelope by one of two ways. Every host hears both: the log is read anyway, by itself or through the shared log. */
export class ClusterTransport {
  readonly #db: HostContext["db"];
  readonly #pubSub: PubSub | undefined;
  readonly #tellLoss: (error: unknown) => void;

  /** @param pubSub undefined without Redis */
  constructor({ db, log }: Pick<HostContext, "db" | "log">, pubSub: PubSub | undefined) {
    this.#db = db;
    this.#pubSub = pubSub;
    this.#tellLoss = quietly((error) =>
      log.warn({ err: error }, "messages to other hosts could not be written"),
    );
  }

  /** True while this host hears what is published. */
  get hasRedis(): boolean {
    return this.#pubSub?.isUp === true;
  }

  /** @param onChange called when this host hears Redis from now on, or no longer */
  listen(onEnvelope: (content: Buffer) => void, onChange: (hasRedis: boolean) => void): void {
    this.#pubSub?.listen(channel, { onMessage: onEnvelope, onChange });
  }

  /**
   * @param write the envelope, which says whether this host hears Redis
   * @param allHaveRedis whether the other hosts do
   */
  async send(write: (hasRedis: boolean) => string, allHaveRedis: boolean): Promise<Way> {
    // Otherwise the first envelopes of a host would go through the log.
    await this.#pubSub?.opened;
    if (this.#pubSub?.isUp === true && allHaveRedis) {
      try {
        await this.#pubSub.publish(channel, write(true));
        return "redis";
      } catch {
        // It may have been published all the same: receivers know it by its number.
      }
    }
    try {
      await this.#db.background.query("select pg_logical_emit_message(true, $1, $2::text)", [
        clusterBusPrefix,
        write(this.hasRedis),
      ]);
      return "log";
    } catch (error) {
      this.#tellLoss(error);
      return "lost";
    }
  }
}
