import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";

const trendSchema = z.object({
  monthly_revenue_pence: z.number(),
  months: z.array(
    z.object({
      month: z.string(),
      net_pence: z.number(),
      members: z.number(),
      lost: z.number(),
    }),
  ),
  reasons: z.array(z.object({ reason: z.string(), members: z.number() })),
});

/** Twelve months of money and members; `month` is its first day, `YYYY-MM-DD`. */
export type MoneyTrend = z.infer<typeof trendSchema>;

/** Reads the last twelve months; not audited. Throws the database's error. */
export async function fetchTrend(client: BackendClient): Promise<MoneyTrend> {
  const { data, error } = await client.rpc("admin_money_trend");
  if (error) throw error;
  return trendSchema.parse(data);
}
