import type { BackendClient } from "@/lib/backend-client.ts";
import { todaySchema, type Today } from "../model/today.ts";

/** Reads what stands first on the signed-in member's dashboard. Throws the database's error. */
export async function fetchToday(client: BackendClient): Promise<Today> {
  const { data, error } = await client.rpc("my_today");
  if (error) throw error;
  return todaySchema.parse(data);
}
