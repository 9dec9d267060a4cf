// What hosts over one database share so that one of them reads the write-ahead log for all.

import type { WalPlace } from "../postgres-changes/pgoutput.ts";

/** What one host does for all: it decodes the log, or stands by with a slot of its own to take over. */
export type Seat = "decoder" | "standby";

/** A seat is free this long after its holder was last heard of. */
export const seatMs = 6_000;

/** How far the log was shared. */
export interface LogState {
  /** Changes when the log could not be continued: followers of another run may have missed changes. */
  run: string;
  /** The server and timeline that the positions belong to. */
  source: string;
  /** Number of the last entry; the first is 1. */
  head: number;
  /** The last item of that entry. */
  place: WalPlace;
  /** Every transaction committed up to here is in the entries. */
  position: bigint;
}

/** How far the log was shared, and whether a host decodes it now. */
export interface CurrentLogState extends LogState {
  /** True once the holder of the decoder's seat has begun this run or goes on with it; one who has just sat down may begin another. */
  isDecoded: boolean;
}

/** Some changes of the log, in commit order. */
export interface LogEntry {
  sequence: number;
  bytes: Buffer;
}

/** An entry that the decoder appends. */
export interface NewLogEntry extends LogEntry, Pick<LogState, "run" | "place" | "position"> {
  /** Number of the oldest entry to keep. */
  oldest: number;
}

/** Another host has taken the seat meanwhile. */
export class SeatLostError extends Error {
  override readonly name = "SeatLostError";
}

/** Seats and entries, outside of all hosts. Every method throws when the store can't be reached. */
export interface SharedLog {
  /** Takes a free seat, or keeps one's own for another `seatMs`. False when another holds it. */
  hold: (seat: Seat, token: string) => Promise<boolean>;
  release: (seat: Seat, token: string) => Promise<void>;
  state: () => Promise<CurrentLogState | undefined>;
  /**
   * Begins a new run without entries.
   * @throws {SeatLostError} here and below when the token does not hold the decoder's seat
   */
  begin: (token: string, state: LogState) => Promise<void>;
  /** Appends an entry; a second call for the same entry changes nothing. */
  append: (token: string, entry: NewLogEntry) => Promise<void>;
  /** Notes that the log went on without changes, and that the token's holder goes on with this run. */
  note: (token: string, run: string, position: bigint) => Promise<void>;
  /** The entries of a run after one; waits for them up to a second. */
  read: (run: string, after: number) => Promise<readonly LogEntry[]>;
  /** Tells what a host subscribes to, or without bytes that this still holds; false when the store has lost it. */
  announce: (host: string, version: number, bytes?: Buffer) => Promise<boolean>;
  /** The hosts that told it lately, with the version. */
  announced: () => Promise<ReadonlyMap<string, number>>;
  announcement: (host: string) => Promise<{ version: number; bytes: Buffer } | undefined>;
  close: () => Promise<void>;
}
