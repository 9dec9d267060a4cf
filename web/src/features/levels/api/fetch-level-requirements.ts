import type { LevelRequirements } from "@/domain/level-progress.ts";
import { toLevelRequirements } from "@/domain/level-requirements.ts";
import type { BackendClient } from "@/lib/backend-client.ts";

/** Reads what each level asks for. Throws the database's error. */
export async function fetchLevelRequirements(client: BackendClient): Promise<LevelRequirements> {
  const { data, error } = await client
    .from("level_requirements")
    .select("level, kind, category, needed");
  if (error) throw error;
  return toLevelRequirements(data);
}
