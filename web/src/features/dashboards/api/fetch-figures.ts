import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import type { Figures } from "../model/figures.ts";

const row = z.object({
  likes_received: z.number(),
  lessons_completed: z.number(),
  affiliate_links: z.number(),
  profits_pence: z.number(),
  member_since: z.optional(z.nullable(z.string())),
});
const answer = z.tuple([row], z.unknown());

/** Reads the signed-in member's figures. Throws the database's error. */
export async function fetchFigures(client: BackendClient): Promise<Figures> {
  const { data, error } = await client.rpc("dashboard_figures");
  if (error) throw error;
  const [found] = answer.parse(data);
  return {
    likesReceived: found.likes_received,
    lessonsCompleted: found.lessons_completed,
    affiliateLinks: found.affiliate_links,
    profitsPence: found.profits_pence,
    memberSince: found.member_since ?? null,
  };
}
