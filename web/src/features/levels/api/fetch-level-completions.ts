import type { BackendClient } from "@/lib/backend-client.ts";

/** When each level's requirements were met: ISO times by number of the level. */
export type Completions = ReadonlyMap<number, string>;

/** Reads when the member completed which level. Throws the database's error. */
export async function fetchLevelCompletions(
  client: BackendClient,
  userId: string,
): Promise<Completions> {
  const { data, error } = await client
    .from("level_completions")
    .select("level, completed_at")
    .eq("user_id", userId);
  if (error) throw error;
  return new Map(data.map(({ level, completed_at }) => [level, completed_at]));
}
