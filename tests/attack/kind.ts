import type { HostileClient } from "./hostile-client.ts";

/** An account of the product, signed in. */
export interface Person {
  id: string;
  token: string;
}

/** What hostile clients know: an address, the public key, and an account each where the kind needs one. */
export interface Battlefield {
  url: string;
  anonKey: string;
  /** Signed in, never paid. */
  unpaid: readonly Person[];
  /** Paid and onboarded. */
  members: readonly Person[];
  /** Room that every member may read. */
  room: string;
}

/** One way to attack the product. */
export interface AttackKind {
  name: string;
  /** What it tries, for the table. */
  tries: string;
  /** Attempts that ten clients are to make each second; a run in which they make fewer than half proves nothing. */
  attemptsPerSecond: number;
  /** Of all its attempts, how many each client may bring to success; undefined when success harms nobody. */
  mostSuccesses?: number;
  /** Acts as one hostile client until `client.isOver()`. */
  run: (client: HostileClient) => Promise<void>;
}
