import type { BackendClient } from "@/lib/backend-client.ts";

/** Whether a membership can be paid by the year. Throws the database's error. */
export async function fetchSellsYears(client: BackendClient): Promise<boolean> {
  const { data, error } = await client
    .from("plans")
    .select("id")
    .eq("is_active", true)
    .not("yearly_price_id", "is", null)
    .limit(1);
  if (error) throw error;
  return data.length > 0;
}
