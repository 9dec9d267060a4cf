import type { SupabaseClient } from "@supabase/supabase-js";
import type { AttackTarget } from "./attack-target.ts";
import type { HostileClient } from "./hostile-client.ts";

/** One way to attack the product. */
export interface AttackKind {
  name: string;
  /** What it tries, for the report. */
  tries: string;
  /** Intended attempts of ten clients per second. A run with fewer than half proves nothing. */
  attemptsPerSecond: number;
  /** Attempts per client that may succeed; undefined when success does no harm. */
  mostSuccesses?: number;
  /**
   * What the product itself is made to do while the hostile clients try, with the operator's key. Rejects when it went wrong.
   */
  meanwhile?: (operator: SupabaseClient, field: AttackTarget, over: AbortSignal) => Promise<void>;
  /** Acts as one hostile client until `client.isOver()`. */
  run: (client: HostileClient) => Promise<void>;
}
