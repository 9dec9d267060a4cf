import type { SupabaseClient } from "@supabase/supabase-js";
import type { AttackContent } from "./attack-content.ts";
import type { HostileClient } from "./hostile-client.ts";

/** An account of the product, signed in. */
export interface AttackAccount {
  id: string;
  token: string;
}

/** What hostile clients know: the URL, the public key, and an account each where the kind needs one. */
export interface AttackTarget extends AttackContent {
  url: string;
  anonKey: string;
  /** Accounts that are signed in and have never paid. */
  unpaid: readonly AttackAccount[];
  /** Accounts that have paid and completed onboarding. */
  members: readonly AttackAccount[];
  /** Accounts that have paid for the mentors' plan. */
  mentors: readonly AttackAccount[];
  /** Id of a room that every member may read. */
  room: string;
}

/** One way to attack the product. */
export interface AttackKind {
  name: string;
  /** What it tries, for the report. */
  tries: string;
  /** Intended attempts of ten clients per second. A run with fewer than half proves nothing. */
  attemptsPerSecond: number;
  /** Left out of the short form: it takes a whole processor, so that a busy machine decides its figures within seconds. */
  isLong?: boolean;
  /** Attempts per client that may succeed; undefined when success does no harm. */
  mostSuccesses?: number;
  /**
   * What the product itself is made to do while the hostile clients try, with the operator's key. Rejects when it went wrong.
   */
  meanwhile?: (operator: SupabaseClient, field: AttackTarget, over: AbortSignal) => Promise<void>;
  /** Acts as one hostile client until `client.isOver()`. */
  run: (client: HostileClient) => Promise<void>;
}
