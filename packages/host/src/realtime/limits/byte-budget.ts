/** Bytes that may be held at once, within those of a larger budget. */
export class ByteBudget {
  readonly #limit: () => number;
  readonly #within: ByteBudget | undefined;
  #used = 0;

  /** @param limit asked at each reservation, for limits that depend on who the caller turned out to be */
  constructor(limit: number | (() => number), within?: ByteBudget) {
    this.#limit = typeof limit === "number" ? () => limit : limit;
    this.#within = within;
  }

  get used(): number {
    return this.#used;
  }

  /** False, and nothing reserved, when there is not enough left here or in the larger budget. */
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

  /** Gives back all that is reserved here. */
  releaseAll(): void {
    this.release(this.#used);
  }
}
