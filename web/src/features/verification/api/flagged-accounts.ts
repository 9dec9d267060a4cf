import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";

/** An account whose documents were rejected five times. */
export interface FlaggedAccount {
  /** Of the account. */
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** Epoch milliseconds. */
  readonly flaggedAt: number;
  /** Why the last document was rejected; null when it is not known. */
  readonly lastReason: string | null;
}

export type FlaggedDecision = "reset" | "keep_closed";

const text = z.optional(z.nullable(z.string()));
const rows = z.array(
  z.object({
    user_id: z.string(),
    email: text,
    first_name: text,
    last_name: text,
    flagged_at: z.string(),
    last_reason: text,
  }),
);

/** Reads the accounts that wait, oldest first. Administrators only. Throws the database's error. */
export async function fetchFlaggedAccounts(
  client: BackendClient,
): Promise<readonly FlaggedAccount[]> {
  const { data, error } = await client.rpc("flagged_verifications");
  if (error) throw error;
  return rows.parse(data).map((row) => ({
    id: row.user_id,
    name: [row.first_name, row.last_name].filter(Boolean).join(" "),
    email: row.email ?? "",
    flaggedAt: Date.parse(row.flagged_at),
    lastReason: row.last_reason ?? null,
  }));
}

/** Lets the member try again, or keeps the form closed. Administrators only. Throws the database's error. */
export async function decideFlaggedAccount(
  client: BackendClient,
  userId: string,
  decision: FlaggedDecision,
  reason: string,
): Promise<void> {
  const { error } = await client.rpc("decide_flagged_verification", {
    member: userId,
    decision,
    reason,
  });
  if (error) throw error;
}
