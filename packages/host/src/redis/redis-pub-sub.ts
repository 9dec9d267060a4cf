// Messages between hosts through Redis Pub/Sub, over one connection that publishes and one that listens.

import type { Redis } from "ioredis";
import type { ChannelListener, PubSub } from "./pub-sub.ts";
import { connectRedis } from "./connect-redis.ts";
import type { RedisAccess } from "./redis-access.ts";

/** How often a connection that only listens is asked whether it is still there. */
const pingEveryMs = 2_000;
/** A connection that gives no answer for this long is replaced. */
const socketTimeoutMs = 4_000;

/** Pub/Sub of one database in Redis or Valkey. Once opened it connects again whenever it has to. */
export class RedisPubSub implements PubSub {
  readonly #access: RedisAccess;
  readonly #publisher: Redis;
  /** A connection that listens can do nothing else. */
  readonly #subscriber: Redis;
  /** Listeners by the name of their channel, without the prefix. */
  readonly #listeners = new Map<string, ChannelListener>();
  readonly #opened = Promise.withResolvers<void>();
  readonly #pinging: NodeJS.Timeout;
  /** Set once the database has told it. */
  #prefix: string | undefined;
  #isSubscribed = false;
  #wasUp = false;

  constructor(access: RedisAccess) {
    this.#access = access;
    const onError = (error: Error) => {
      this.#opened.resolve();
      access.onError(error);
    };
    const options = {
      lazyConnect: true,
      socketTimeout: socketTimeoutMs,
      // Hosts would hear what was said while they could not, too late and perhaps twice.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
    };
    this.#publisher = connectRedis({ url: access.url, onError }, options);
    this.#subscriber = connectRedis(
      { url: access.url, onError },
      { ...options, autoResubscribe: false },
    );
    this.#publisher.on("ready", () => this.#tellChange());
    this.#publisher.on("close", () => this.#tellChange());
    this.#subscriber.on("ready", () => void this.#subscribe());
    this.#subscriber.on("close", () => {
      this.#isSubscribed = false;
      this.#tellChange();
    });
    this.#subscriber.on("messageBuffer", (channel: Buffer, content: Buffer) => {
      const name = channel.toString().slice(this.#channel("").length);
      this.#listeners.get(name)?.onMessage(content);
    });
    this.#pinging = setInterval(() => this.#ping(), pingEveryMs).unref();
  }

  get isUp(): boolean {
    return this.#isSubscribed && this.#publisher.status === "ready";
  }

  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  async publish(channel: string, message: string): Promise<void> {
    if (!this.isUp) throw new Error("Redis can't be reached.");
    await this.#publisher.publish(this.#channel(channel), message);
  }

  listen(channel: string, listener: ChannelListener): void {
    this.#listeners.set(channel, listener);
  }

  open(): void {
    for (const redis of [this.#publisher, this.#subscriber]) {
      // Tried again, and told as an error of the connection.
      redis.connect().catch(() => undefined);
    }
  }

  close(): void {
    clearInterval(this.#pinging);
    this.#listeners.clear();
    this.#opened.resolve();
    this.#publisher.disconnect();
    this.#subscriber.disconnect();
  }

  /** With the database's number in Redis, which keeps keys apart and channels not. */
  #channel(name: string): string {
    return `${this.#prefix ?? ""}${this.#subscriber.options.db ?? 0}:${name}`;
  }

  async #subscribe(): Promise<void> {
    try {
      this.#prefix ??= await this.#access.prefix();
      const channels = [...this.#listeners.keys()].map((name) => this.#channel(name));
      await this.#subscriber.subscribe(...channels);
      this.#isSubscribed = true;
      this.#tellChange();
    } catch (error) {
      this.#opened.resolve();
      this.#access.onError(error instanceof Error ? error : new Error(String(error)));
      // Tried again when the new connection is ready.
      if (this.#subscriber.status === "ready") this.#subscriber.disconnect(true);
    }
  }

  /** Without an answer `socketTimeout` ends the connection: one that only listens would not notice that it is dead. */
  #ping(): void {
    for (const redis of [this.#publisher, this.#subscriber]) {
      if (redis.status === "ready") redis.ping().catch(() => undefined);
    }
  }

  #tellChange(): void {
    const isUp = this.isUp;
    if (isUp === this.#wasUp) return;
    this.#wasUp = isUp;
    if (isUp) this.#opened.resolve();
    for (const { onChange } of this.#listeners.values()) onChange?.(isUp);
  }
}
