/** One message that waits for those before it. */
interface QueuedMessage {
  bytes: number;
  /** Must not throw. */
  work: () => Promise<void>;
}

/** Works on the messages of one socket: each topic's one after the other, so that a leave never overtakes its join. */
export class TopicQueues {
  readonly #byTopic = new Map<string, QueuedMessage[]>();
  #messages = 0;
  #bytes = 0;

  /** Messages that wait or are worked on. */
  get messages(): number {
    return this.#messages;
  }

  /** What they hold. */
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

  /** Lets go of all that waits: the socket is closed. */
  clear(): void {
    for (const turns of this.#byTopic.values()) {
      for (const { bytes } of turns.splice(0)) this.#bytes -= bytes;
    }
    this.#messages = 0;
  }

  async #run(topic: string, turns: QueuedMessage[]): Promise<void> {
    // As soon as what arrived with it has been taken in.
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
