import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import type { EngagementRank } from "../model/rank.ts";

const row = z.object({
  engagements: z.number(),
  percentile: z.number(),
  members: z.number(),
  label: z.string(),
});
const answer = z.tuple([row], z.unknown());

/** Reads where the member stands among all. Throws the database's error. */
export async function fetchRank(client: BackendClient): Promise<EngagementRank> {
  const { data, error } = await client.rpc("engagement_rank");
  if (error) throw error;
  return answer.parse(data)[0];
}
