import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import { knownItems } from "@/domain/known-items.ts";

/** One of several subscriptions that an account pays for at the same time. */
export interface FlaggedSubscription {
  readonly id: string;
  /** Null for another product than a plan. */
  readonly plan: string | null;
  readonly status: string;
  /** Epoch milliseconds. */
  readonly since: number;
  /** The one that gives access. */
  readonly isCurrent: boolean;
}

/** An account that waits for a human decision, or whose form was kept closed. */
export interface FlaggedAccount {
  /** Of the account. */
  readonly userId: string;
  /** Of the flag: an account may have both. */
  readonly id: string;
  readonly kind: "rejections" | "subscriptions" | "dispute";
  readonly name: string;
  readonly email: string;
  /** Epoch milliseconds. */
  readonly flaggedAt: number;
  /** When an administrator kept the form closed, epoch milliseconds; null while the flag waits. */
  readonly closedAt: number | null;
  /** Why the last document was rejected; null when it is not known. */
  readonly lastReason: string | null;
  readonly subscriptions: readonly FlaggedSubscription[];
}

const kinds = {
  verification_attempts_exhausted: "rejections",
  several_subscriptions: "subscriptions",
  dispute_lost: "dispute",
} as const satisfies Record<string, FlaggedAccount["kind"]>;
const reasons = [
  "verification_attempts_exhausted",
  "several_subscriptions",
  "dispute_lost",
] as const;

export type FlaggedDecision = "reset" | "keep_closed" | "resolved";

const text = z.optional(z.nullable(z.string()));
const rows = knownItems(
  z.object({
    user_id: z.string(),
    email: text,
    first_name: text,
    last_name: text,
    reason: z.enum(reasons),
    flagged_at: z.string(),
    closed_at: text,
    last_reason: text,
    subscriptions: z.nullish(
      z.array(
        z.object({
          id: z.string(),
          plan: text,
          status: z.string(),
          since: z.string(),
          is_current: z.boolean(),
        }),
      ),
    ),
  }),
);

/** Reads the flagged accounts, oldest first. Administrators only. Throws the database's error. */
export async function fetchFlaggedAccounts(
  client: BackendClient,
): Promise<readonly FlaggedAccount[]> {
  const { data, error } = await client.rpc("flagged_accounts");
  if (error) throw error;
  return rows.parse(data).map((row) => ({
    userId: row.user_id,
    id: `${row.user_id} ${row.reason}`,
    kind: kinds[row.reason],
    name: [row.first_name, row.last_name].filter(Boolean).join(" "),
    email: row.email ?? "",
    flaggedAt: Date.parse(row.flagged_at),
    closedAt: row.closed_at ? Date.parse(row.closed_at) : null,
    lastReason: row.last_reason ?? null,
    subscriptions: (row.subscriptions ?? []).map((each) => ({
      id: each.id,
      plan: each.plan ?? null,
      status: each.status,
      since: Date.parse(each.since),
      isCurrent: each.is_current,
    })),
  }));
}

/** Lets the member try again, or keeps the form closed. Administrators only. Throws the database's error. */
export async function decideFlaggedAccount(
  client: BackendClient,
  userId: string,
  decision: "reset" | "keep_closed",
  reason: string,
): Promise<void> {
  const { error } = await client.rpc("decide_flagged_verification", {
    member: userId,
    decision,
    reason,
  });
  if (error) throw error;
}

/** What the account was flagged for about money was put right. Administrators only. Throws the database's error. */
export async function resolveBillingFlag(
  client: BackendClient,
  { userId, kind }: Pick<FlaggedAccount, "userId" | "kind">,
  reason: string,
): Promise<void> {
  const flag = reasons.find((each) => kinds[each] === kind) ?? "";
  const { error } = await client.rpc("resolve_billing_flag", { member: userId, flag, reason });
  if (error) throw error;
}
