import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";

/** A payment whose holder asks the bank for the money back. */
export interface OpenDispute {
  readonly id: string;
  /** Name or address of the member; empty once the account was deleted. */
  readonly who: string;
  /** In the currency's smallest unit. */
  readonly amount: number;
  /** Three letters, lower case. */
  readonly currency: string;
  /** The bank's word for it, such as `fraudulent`; empty when it gives none. */
  readonly reason: string;
  readonly status: string;
  /** Epoch milliseconds. */
  readonly openedAt: number;
  /** Until when the bank takes evidence, epoch milliseconds; null when it takes none. */
  readonly respondBy: number | null;
}

const text = z.optional(z.nullable(z.string()));
const rows = z.array(
  z.object({
    dispute_id: z.string(),
    email: text,
    first_name: text,
    last_name: text,
    amount: z.number(),
    currency: z.string(),
    reason: text,
    status: z.string(),
    opened_at: z.string(),
    respond_by: text,
  }),
);

/** Reads the open disputes, those due first on top. Administrators only. Throws the database's error. */
export async function fetchOpenDisputes(client: BackendClient): Promise<readonly OpenDispute[]> {
  const { data, error } = await client.rpc("dispute_queue");
  if (error) throw error;
  return rows.parse(data).map((row) => ({
    id: row.dispute_id,
    who: [row.first_name, row.last_name].filter(Boolean).join(" ") || (row.email ?? ""),
    amount: row.amount,
    currency: row.currency,
    reason: row.reason ?? "",
    status: row.status,
    openedAt: Date.parse(row.opened_at),
    respondBy: row.respond_by ? Date.parse(row.respond_by) : null,
  }));
}
