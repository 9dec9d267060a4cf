import type { AttackAccount } from "./attack-accounts.ts";
import type { AttackContent } from "./attack-content.ts";

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
