/** A limit of bytes held at once, optionally within a larger budget. */
export class ByteBudget {
  readonly #limit: () => number;
  readonly #within: ByteBudget | undefined;
  #used = 0;

  /** @param limit read at each reservation, since it depends on whether the client has signed in */
  constructor(limit: number | (() => number), within?: ByteBudget) {
    this.#limit = typeof limit === "number" ? () => limit : limit;
    this.#within = within;
  }

  get used(): number {
    return this.#used;
  }

  /** Returns false and reserves nothing when this or the larger budget has too little left. */
  reserve(bytes: number): boolean {
    if (bytes > 0 && this.#used + bytes > this.#limit()) return false;
    if (this.#within?.reserve(bytes) === false) return false;
    this.#used += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#used -= bytes;
    this.#within?.release(bytes);
  }

  /** Releases everything reserved here. */
  releaseAll(): void {
    this.release(this.#used);
  }
}
