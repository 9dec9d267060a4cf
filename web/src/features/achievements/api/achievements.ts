import type { BackendClient } from "@/lib/backend-client.ts";
import { achievementsSchema, type Achievements } from "../model/achievements.ts";

/** The member's own achievements. Throws the database's error. */
export async function fetchAchievements(client: BackendClient): Promise<Achievements> {
  const { data, error } = await client.rpc("my_achievements");
  if (error) throw error;
  return achievementsSchema.parse(data);
}
