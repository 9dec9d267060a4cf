import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";

const monthRow = z.object({
  month: z.string(),
  currency: z.string(),
  charges: z.number(),
  charged_pence: z.number(),
  refunds: z.number(),
  refunded_pence: z.number(),
  disputes: z.number(),
  disputed_pence: z.number(),
  dispute_fees_pence: z.number(),
  fees_pence: z.number(),
  other_pence: z.number(),
  net_pence: z.number(),
  vat_pence: z.number(),
  left_pence: z.number(),
  payouts: z.number(),
  paid_out_pence: z.number(),
  unread: z.number(),
});

/**
 * One month's money in one currency, in minor units; `month` is its first day, `YYYY-MM-DD`. What was charged, less refunds,
 * disputes and fees, with what else moved the balance, is `net_pence`; `unread` counts what has no fee yet.
 */
export type MonthOfMoney = z.infer<typeof monthRow>;

/** The last ten years month by month, newest first; audited. Throws the database's error. */
export async function fetchMoneyByMonth(client: BackendClient): Promise<readonly MonthOfMoney[]> {
  const { data, error } = await client.rpc("admin_money_by_month", { months: 120 });
  if (error) throw error;
  return z
    .array(monthRow)
    .parse(data)
    .map((row) => ({ ...row, currency: row.currency.toUpperCase() }));
}
