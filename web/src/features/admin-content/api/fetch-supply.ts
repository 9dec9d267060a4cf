import { toRequirementSupply, type RequirementSupply } from "@/domain/requirement-supply.ts";
import type { BackendClient } from "@/lib/backend-client.ts";

/** Reads what each level asks for and how much of it there is. Throws the database's error. */
export async function fetchSupply(client: BackendClient): Promise<readonly RequirementSupply[]> {
  const { data, error } = await client.rpc("admin_level_supply");
  if (error) throw error;
  return toRequirementSupply(data);
}
