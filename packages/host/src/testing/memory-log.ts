// A shared log without Redis, for tests of several Realtime services in one process.

import { setTimeout as wait } from "node:timers/promises";
import {
  SeatLostError,
  type CurrentLogState,
  type LogEntry,
  type LogState,
  type NewLogEntry,
  type Seat,
  type SharedLog,
} from "../realtime/shared-log/shared-log.ts";

const readPollMs = 5;
const readMs = 100;

/** A shared log in this process, for several Realtime services of a test. Seats do not expire by themselves. */
export class MemoryLog implements SharedLog {
  readonly #seats = new Map<Seat, string>();
  #state: LogState | undefined;
  /** The token that began the run, or goes on with it. */
  #decoder: string | undefined;
  #entries: LogEntry[] = [];
  readonly #announcements = new Map<string, { version: number; bytes: Buffer }>();
  #isDown = false;
  #losesNext = false;

  /** Takes a seat from its holder, as time does when a host is frozen. */
  expire(seat: Seat): void {
    this.#seats.delete(seat);
  }

  /** Who holds a seat. */
  holderOf(seat: Seat): string | undefined {
    return this.#seats.get(seat);
  }

  /** Loses the next entry before anyone reads it, as a full store may. */
  loseNext(): void {
    this.#losesNext = true;
  }

  /** Refuses everything until `comeBack`, and forgets what it held. */
  goDown(): void {
    this.#isDown = true;
    this.#seats.clear();
    this.#announcements.clear();
    this.#state = undefined;
    this.#entries = [];
  }

  comeBack(): void {
    this.#isDown = false;
  }

  async hold(seat: Seat, token: string): Promise<boolean> {
    await this.#arrive();
    const holder = this.#seats.get(seat) ?? token;
    this.#seats.set(seat, holder);
    return holder === token;
  }

  async release(seat: Seat, token: string): Promise<void> {
    await this.#arrive();
    if (this.#seats.get(seat) === token) this.#seats.delete(seat);
  }

  async state(): Promise<CurrentLogState | undefined> {
    await this.#arrive();
    const holder = this.#seats.get("decoder");
    const isDecoded = holder !== undefined && holder === this.#decoder;
    return this.#state && { ...this.#state, isDecoded };
  }

  async begin(token: string, state: LogState): Promise<void> {
    await this.#arrive();
    this.#checkSeat(token);
    this.#state = { ...state, head: 0 };
    this.#decoder = token;
    this.#entries = [];
  }

  async append(token: string, entry: NewLogEntry): Promise<void> {
    await this.#arrive();
    const state = this.#checkSeat(token, entry.run);
    const { sequence, place, position, oldest, bytes } = entry;
    if (state === undefined || sequence <= state.head) return;
    const kept = this.#losesNext ? this.#entries : [...this.#entries, { sequence, bytes }];
    this.#losesNext = false;
    this.#entries = kept.filter((entry) => entry.sequence >= oldest);
    this.#state = { ...state, head: sequence, place, position };
  }

  async note(token: string, run: string, position: bigint): Promise<void> {
    await this.#arrive();
    const state = this.#checkSeat(token, run);
    if (state) this.#state = { ...state, position };
    this.#decoder = token;
  }

  async read(run: string, after: number): Promise<readonly LogEntry[]> {
    for (let waitedMs = 0; ; waitedMs += readPollMs) {
      await this.#arrive();
      const entries =
        this.#state?.run === run ? this.#entries.filter(({ sequence }) => sequence > after) : [];
      if (entries.length > 0 || waitedMs >= readMs) return entries;
      await wait(readPollMs);
    }
  }

  async announce(host: string, version: number, bytes?: Buffer): Promise<boolean> {
    await this.#arrive();
    if (bytes === undefined) return this.#announcements.has(host);
    this.#announcements.set(host, { version, bytes });
    return true;
  }

  async announced(): Promise<ReadonlyMap<string, number>> {
    await this.#arrive();
    return new Map([...this.#announcements].map(([host, { version }]) => [host, version]));
  }

  async announcement(host: string): Promise<{ version: number; bytes: Buffer } | undefined> {
    await this.#arrive();
    return this.#announcements.get(host);
  }

  async close(): Promise<void> {
    await Promise.resolve();
  }

  #checkSeat(token: string, run = this.#state?.run): LogState | undefined {
    if (this.#seats.get("decoder") !== token || this.#state?.run !== run) {
      throw new SeatLostError("Another host decodes the log.");
    }
    return this.#state;
  }

  async #arrive(): Promise<void> {
    await Promise.resolve();
    if (this.#isDown) throw new Error("The store is down.");
  }
}
