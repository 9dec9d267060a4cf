/** Above this share of the limit there is little room left. */
const CROWDED_SHARE = 0.5;

/** How a kind of bytes is measured, and what ends holding them. */
export interface ByteHolding<Holder> {
  /** What all holders may hold together. */
  limit: number;
  bytesOf: (holder: Holder) => number;
  /** Ends the holder; it holds nothing afterwards. */
  end: (holder: Holder) => void;
}

/** Counts what many hold together, and ends those who hold most when it is too much. */
export class SharedBytes<Holder> {
  readonly #holding: ByteHolding<Holder>;
  readonly #bytes = new Map<Holder, number>();
  #total = 0;

  constructor(holding: ByteHolding<Holder>) {
    this.#holding = holding;
  }

  get total(): number {
    return this.#total;
  }

  get isCrowded(): boolean {
    return this.#total > this.#holding.limit * CROWDED_SHARE;
  }

  /** Takes note of what one holds now. */
  note(holder: Holder): void {
    this.#set(holder, this.#holding.bytesOf(holder));
    if (this.#total > this.#holding.limit) this.#makeRoom();
  }

  forget(holder: Holder): void {
    this.#set(holder, 0);
  }

  #set(holder: Holder, bytes: number): void {
    this.#total += bytes - (this.#bytes.get(holder) ?? 0);
    if (bytes === 0) this.#bytes.delete(holder);
    else this.#bytes.set(holder, bytes);
  }

  #makeRoom(): void {
    const { limit, bytesOf, end } = this.#holding;
    // Some may hold less than when they were noted.
    for (const holder of this.#bytes.keys()) this.#set(holder, bytesOf(holder));
    const mostFirst = [...this.#bytes].toSorted(([, a], [, b]) => b - a);
    for (const [holder] of mostFirst) {
      if (this.#total <= limit) return;
      this.forget(holder);
      end(holder);
    }
  }
}
