import type { BackendClient } from "@/lib/backend-client.ts";
import type { OwnPrice, Plan } from "../model/plan.ts";

/** Reads the plans on sale, cheapest first, those paid monthly before those paid yearly. Throws the database's error. */
export async function fetchPlans(client: BackendClient): Promise<readonly Plan[]> {
  const { data, error } = await client
    .from("plans")
    .select("*")
    .eq("is_active", true)
    .order("amount_pence", { ascending: true });
  if (error) throw error;
  const monthly = data.map((row): Plan => ({
    id: row.id,
    name: row.name,
    role: row.role === "mentor" ? "mentor" : "student",
    amountPence: row.amount_pence,
    currency: row.currency,
    interval: "month",
    priceId: row.price_id,
  }));
  const yearly = data.flatMap((row, index): Plan[] => {
    const { yearly_price_id: priceId, yearly_amount_pence: amountPence } = row;
    const plan = monthly[index];
    if (!plan || !priceId || !amountPence) return [];
    return [{ ...plan, interval: "year", priceId, amountPence }];
  });
  return [...monthly, ...yearly];
}

/** What the member's subscription costs; null without one. Throws the database's error. */
export async function fetchOwnPrice(client: BackendClient): Promise<OwnPrice | null> {
  const { data, error } = await client.rpc("my_plan_price");
  if (error) throw error;
  const [row] = data;
  if (row === undefined) return null;
  return {
    priceId: row.price_id,
    planId: row.plan_id,
    interval: row.interval === "year" ? "year" : "month",
    amountPence: row.amount_pence,
    currency: row.currency,
  };
}
