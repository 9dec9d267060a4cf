// Pub/Sub without Redis, for tests of several services in one process.

import type { ChannelListener, PubSub } from "../redis/pub-sub.ts";

/** What all services of a test are connected to. */
export class MemoryPubSub {
  readonly #connections = new Set<MemoryConnection>();
  /** Everything that was published, by channel. */
  readonly published: { channel: string; message: string }[] = [];
  #isDown = false;
  #losesAnswers = false;

  connect(): MemoryConnection {
    const connection: MemoryConnection = new MemoryConnection(
      () => this.#isDown,
      async (channel, message) => await this.#publish(channel, message),
    );
    this.#connections.add(connection);
    return connection;
  }

  goDown(): void {
    this.#isDown = true;
    for (const connection of this.#connections) connection.tellChange();
  }

  comeBack(): void {
    this.#isDown = false;
    for (const connection of this.#connections) connection.tellChange();
  }

  /** Delivers from now on what is published, and tells the publisher that it was lost, as a connection does that breaks too early. */
  loseAnswers(): void {
    this.#losesAnswers = true;
  }

  async #publish(channel: string, message: string): Promise<void> {
    this.published.push({ channel, message });
    await Promise.resolve();
    for (const connection of this.#connections) connection.receive(channel, Buffer.from(message));
    if (this.#losesAnswers) throw new Error("The answer was lost.");
  }
}

/** The connection of one service. */
export class MemoryConnection implements PubSub {
  readonly #listeners = new Map<string, ChannelListener>();
  readonly #isDown: () => boolean;
  readonly #publish: (channel: string, message: string) => Promise<void>;
  #isCut = false;
  #wasUp = true;
  readonly opened = Promise.resolve();

  constructor(isDown: () => boolean, publish: (channel: string, message: string) => Promise<void>) {
    this.#isDown = isDown;
    this.#publish = publish;
  }

  get isUp(): boolean {
    return !this.#isCut && !this.#isDown();
  }

  async publish(channel: string, message: string): Promise<void> {
    if (!this.isUp) throw new Error("The store can't be reached.");
    await this.#publish(channel, message);
  }

  listen(channel: string, listener: ChannelListener): void {
    this.#listeners.set(channel, listener);
  }

  open(): void {
    // It is connected already.
  }

  receive(channel: string, content: Buffer): void {
    if (this.isUp) this.#listeners.get(channel)?.onMessage(content);
  }

  /** Takes this service alone from the store, until `join`. */
  cut(): void {
    this.#isCut = true;
    this.tellChange();
  }

  join(): void {
    this.#isCut = false;
    this.tellChange();
  }

  tellChange(): void {
    if (this.isUp === this.#wasUp) return;
    this.#wasUp = this.isUp;
    for (const { onChange } of this.#listeners.values()) onChange?.(this.isUp);
  }

  close(): void {
    this.#listeners.clear();
  }
}
