import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import { knownItems } from "@/domain/known-items.ts";
import type { OwnerMonth } from "../model/owner-month.ts";

/** New accounts that are named; all are on the page of members. */
const maxNewest = 5;

const trendSchema = z.object({
  months: z.array(z.object({ month: z.string(), net_pence: z.number() })),
});
const newestSchema = knownItems(
  z.object({
    user_id: z.string(),
    email: z.string(),
    name: z.string(),
    membership: z.string(),
    joined_at: z.string(),
  }),
);

/** Reads the money of the month and the newest accounts. Administrators with a second factor only. Throws the database's error. */
export async function fetchOwnerMonth(client: BackendClient): Promise<OwnerMonth> {
  const [trend, newest] = await Promise.all([
    client.rpc("admin_money_trend"),
    client.rpc("member_page", { sort: "newest", page_size: maxNewest }),
  ]);
  const error = trend.error ?? newest.error;
  if (error) throw error;
  const { months } = trendSchema.parse(trend.data);
  const [before, current] = [months.at(-2), months.at(-1)];
  return {
    month: current?.month ?? null,
    netPence: current?.net_pence ?? 0,
    netBeforePence: before?.net_pence ?? 0,
    newest: newestSchema.parse(newest.data).map((row) => ({
      id: row.user_id,
      name: row.name === "" ? row.email : row.name,
      membership: row.membership,
      joinedAt: Date.parse(row.joined_at),
    })),
  };
}
