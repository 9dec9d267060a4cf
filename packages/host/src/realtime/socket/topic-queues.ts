// Serialises a socket's messages by topic, because their handlers are asynchronous.

/** A message in a queue. */
interface QueuedMessage {
  bytes: number;
  /** Must not throw. */
  work: () => Promise<void>;
}

/** Handles the messages of one socket, in order within each topic, so that a leave never overtakes its join. */
export class TopicQueues {
  readonly #byTopic = new Map<string, QueuedMessage[]>();
  #messages = 0;
  #bytes = 0;

  /** Messages queued or being handled. */
  get messages(): number {
    return this.#messages;
  }

  /** Their size in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  add(topic: string, turn: QueuedMessage): void {
    this.#messages += 1;
    this.#bytes += turn.bytes;
    const waiting = this.#byTopic.get(topic);
    if (waiting !== undefined) {
      waiting.push(turn);
      return;
    }
    const turns = [turn];
    this.#byTopic.set(topic, turns);
    void this.#run(topic, turns);
  }

  /** Drops all queued messages after the socket has closed. */
  clear(): void {
    for (const turns of this.#byTopic.values()) {
      for (const { bytes } of turns.splice(0)) this.#bytes -= bytes;
    }
    this.#messages = 0;
  }

  async #run(topic: string, turns: QueuedMessage[]): Promise<void> {
    // Starts after the other messages of the same chunk have been queued.
    await Promise.resolve();
    for (let turn = turns[0]; turn !== undefined; turn = turns[0]) {
      await turn.work();
      if (turns[0] !== turn) break;
      turns.shift();
      this.#messages -= 1;
      this.#bytes -= turn.bytes;
    }
    if (this.#byTopic.get(topic) === turns) this.#byTopic.delete(topic);
  }
}
