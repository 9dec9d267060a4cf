/** Above this share of the limit there is little room left. */
const crowdedShare = 0.5;

/** How a kind of bytes is measured, and what ends holding them. */
export interface ByteLimitOptions<Holder> {
  /** What all holders may hold together. */
  limit: number;
  bytesOf: (trackerId: Holder) => number;
  /** Ends the trackerId; it holds nothing afterwards. */
  terminate: (trackerId: Holder) => void;
}

/** Counts what many hold together, and ends those who hold most when it is too much. */
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

  /** Takes note of what one holds now. */
  update(trackerId: Holder): void {
    this.#set(trackerId, this.#holding.bytesOf(trackerId));
    if (this.#total > this.#holding.limit) this.#makeRoom();
  }

  remove(trackerId: Holder): void {
    this.#set(trackerId, 0);
  }

  #set(trackerId: Holder, bytes: number): void {
    this.#total += bytes - (this.#bytes.get(trackerId) ?? 0);
    if (bytes === 0) this.#bytes.delete(trackerId);
    else this.#bytes.set(trackerId, bytes);
  }

  #makeRoom(): void {
    const { limit, bytesOf, terminate } = this.#holding;
    // Some may hold less than when they were noted.
    for (const trackerId of this.#bytes.keys()) this.#set(trackerId, bytesOf(trackerId));
    const mostFirst = [...this.#bytes].toSorted(([, a], [, b]) => b - a);
    for (const [trackerId] of mostFirst) {
      if (this.#total <= limit) return;
      this.remove(trackerId);
      terminate(trackerId);
    }
  }
}
