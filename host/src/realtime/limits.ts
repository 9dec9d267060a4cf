/** What one socket may do; hosted projects have limits of the same kind. */
export const LIMITS = {
  frameBytes: 1024 * 1024,
  channelsPerSocket: 100,
  joinsPerSecond: 100,
  messagesPerSecond: 200,
  /** A client sends a heartbeat every 25 seconds. */
  idleMs: 60_000,
  /** Frames that wait for a reader slower than this are given up together with the socket. */
  unsentBytes: 8 * 1024 * 1024,
} as const;

/** Counts events in seconds; tells when there are too many. */
export class RatePerSecond {
  readonly #most: number;
  #second = 0;
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** False when this event is one too many. */
  allows(nowMs: number): boolean {
    const second = Math.floor(nowMs / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#count = 0;
    }
    this.#count += 1;
    return this.#count <= this.#most;
  }

  /** True when this second has seen twice what is allowed. */
  get isFarOver(): boolean {
    return this.#count > 2 * this.#most;
  }
}
