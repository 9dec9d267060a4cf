import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import { knownItems } from "@/domain/known-items.ts";
import { draftStates, type MentorHome } from "../model/mentor-home.ts";

/** Drafts that are shown; the rest is in the studio. */
const maxDrafts = 3;
/** The shortest period that the figures are asked for: only those of the week are used. */
const trendDays = 7;

const draftsSchema = knownItems(
  z.object({
    id: z.string(),
    title: z.string(),
    status: z.enum(draftStates),
    updated_at: z.string(),
  }),
);
const trendSchema = z.object({
  readers_this_week: z.number(),
  stop: z.nullable(
    z.object({ course_id: z.string(), title: z.string(), module: z.number(), members: z.number() }),
  ),
});

/** Reads what a mentor's Home begins with. Throws the database's error. */
export async function fetchMentorHome(client: BackendClient, userId: string): Promise<MentorHome> {
  const [drafts, trend] = await Promise.all([
    client
      .from("drafts")
      .select("id, title, status, updated_at")
      .eq("owner_id", userId)
      .in("status", [...draftStates])
      .order("updated_at", { ascending: false })
      .limit(maxDrafts),
    client.rpc("my_reading_trend", { days: trendDays }),
  ]);
  const error = drafts.error ?? trend.error;
  if (error) throw error;
  const { readers_this_week: readers, stop } = trendSchema.parse(trend.data);
  return { drafts: draftsSchema.parse(drafts.data), readers, stop };
}
