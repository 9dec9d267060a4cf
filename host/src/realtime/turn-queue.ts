/** Works on the messages of one socket: each topic's one after the other, so that a leave never overtakes its join. */
export class TurnQueue {
  readonly #turns = new Map<string, Promise<void>>();
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

  /** @param work must not throw */
  add(topic: string, bytes: number, work: () => Promise<void>): void {
    this.#messages += 1;
    this.#bytes += bytes;
    const before = this.#turns.get(topic) ?? Promise.resolve();
    const turn = before.then(work).then(() => {
      this.#messages -= 1;
      this.#bytes -= bytes;
      if (this.#turns.get(topic) === turn) this.#turns.delete(topic);
    });
    this.#turns.set(topic, turn);
  }
}
