/** What sockets may do and when the service looks after things; hosted projects have limits of the same kind. */
export interface RealtimeLimits {
  /** Size of one frame a client sends. */
  frameBytes: number;
  channelsPerSocket: number;
  /** Different filters that Postgres has to be asked about, over all channels of a socket. */
  askedFiltersPerSocket: number;
  joinsPerSecond: number;
  messagesPerSecond: number;
  /** A socket that has been silent for so long is closed. */
  idleMs: number;
  /** Frames that wait for a reader slower than this are given up together with the socket. */
  unsentBytes: number;
  /** How often silence, the end of tokens and neighbours are looked at. */
  sweepEveryMs: number;
  /** A private channel's rights are asked again after so long; a new token has them asked at once. */
  recheckMs: number;
  purgeEveryMs: number;
  /** How often a host tells its neighbours that it is there, and after which silence it is taken for gone. */
  aliveEveryMs: number;
  goneMs: number;
}

export const LIMITS: RealtimeLimits = {
  frameBytes: 1024 * 1024,
  channelsPerSocket: 100,
  askedFiltersPerSocket: 100,
  joinsPerSecond: 100,
  messagesPerSecond: 200,
  // A client sends a heartbeat every 25 seconds.
  idleMs: 60_000,
  unsentBytes: 8 * 1024 * 1024,
  sweepEveryMs: 1_000,
  recheckMs: 30_000,
  purgeEveryMs: 3_600_000,
  aliveEveryMs: 10_000,
  goneMs: 30_000,
};

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
