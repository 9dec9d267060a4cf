import type { BackendClient } from "@/lib/backend-client.ts";
import type { Plan } from "../model/plan.ts";

/** Reads the plans on sale, cheapest first. Throws the database's error. */
export async function fetchPlans(client: BackendClient): Promise<readonly Plan[]> {
  const { data, error } = await client
    .from("plans")
    .select("*")
    .eq("is_active", true)
    .order("amount_pence", { ascending: true });
  if (error) throw error;
  return data.map((row) => ({
    id: row.id,
    name: row.name,
    role: row.role === "mentor" ? "mentor" : "student",
    amountPence: row.amount_pence,
    currency: row.currency,
    interval: row.interval,
    priceId: row.price_id,
  }));
}
