// Bounds the memory that the buffers of all sockets take together, by closing the sockets with the largest ones.

/** Share of the limit above which memory is short. */
const crowdedShare = 0.5;

/** How bytes are measured, and how a holder is ended. */
export interface ByteLimitOptions<Holder> {
  /** What all holders may hold together. */
  limit: number;
  bytesOf: (holder: Holder) => number;
  /** Ends the holder; it holds nothing afterwards. */
  terminate: (holder: Holder) => void;
}

/** Limits what many holders hold together, and ends those that hold most when it is too much. */
export class SharedByteLimit<Holder> {
  readonly #holding: ByteLimitOptions<Holder>;
  readonly #bytes = new Map<Holder, number>();
  #total = 0;

  constructor(holding: ByteLimitOptions<Holder>) {
    this.#holding = holding;
  }

  get total(): number {
    return this.#total;
  }

  get isCrowded(): boolean {
    return this.#total > this.#holding.limit * crowdedShare;
  }

  /** Updates what a holder holds. */
  update(holder: Holder): void {
    this.#set(holder, this.#holding.bytesOf(holder));
    if (this.#total > this.#holding.limit) this.#makeRoom();
  }

  remove(holder: Holder): void {
    this.#set(holder, 0);
  }

  #set(holder: Holder, bytes: number): void {
    this.#total += bytes - (this.#bytes.get(holder) ?? 0);
    if (bytes === 0) this.#bytes.delete(holder);
    else this.#bytes.set(holder, bytes);
  }

  #makeRoom(): void {
    const { limit, bytesOf, terminate } = this.#holding;
    // Some may hold less than at their last update.
    for (const holder of this.#bytes.keys()) this.#set(holder, bytesOf(holder));
    const mostFirst = [...this.#bytes].toSorted(([, a], [, b]) => b - a);
    for (const [holder] of mostFirst) {
      if (this.#total <= limit) return;
      this.remove(holder);
      terminate(holder);
    }
  }
}
