import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import type { HistoryDay, HistoryRange } from "../model/history.ts";

const answer = z.array(
  z.object({
    day: z.string(),
    rooms: z.number(),
    submissions: z.number(),
    engagements: z.number(),
    articles: z.number(),
    courses: z.number(),
  }),
);

/** Reads what the member did on each of the last days. Throws the database's error. */
export async function fetchHistory(
  client: BackendClient,
  range: HistoryRange,
): Promise<readonly HistoryDay[]> {
  const { data, error } = await client.rpc("progress_history", { days: range });
  if (error) throw error;
  return answer.parse(data);
}
