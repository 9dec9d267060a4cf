import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";

/** What a member may be asked about, and what their profile shows. */
export interface ProfileChoices {
  readonly topics: readonly string[];
  readonly isListed: boolean;
  readonly showsSubmissions: boolean;
  readonly showsAchievements: boolean;
}

const schema = z.nullable(
  z.object({
    topics: z.array(z.string()),
    is_listed: z.boolean(),
    shows_submissions: z.boolean(),
    shows_achievements: z.optional(z.boolean()),
  }),
);

/** The caller's choices, or what holds before any was made. Throws the database's error. */
export async function fetchProfileChoices(client: BackendClient): Promise<ProfileChoices> {
  const { data, error } = await client
    .from("profile_choices")
    .select("topics, is_listed, shows_submissions, shows_achievements")
    .maybeSingle();
  if (error) throw error;
  const row = schema.parse(data);
  return {
    topics: row?.topics ?? [],
    isListed: row?.is_listed ?? true,
    showsSubmissions: row?.shows_submissions ?? true,
    showsAchievements: row?.shows_achievements ?? true,
  };
}

/** Saves the caller's choices. Throws the database's error. */
export async function saveProfileChoices(
  client: BackendClient,
  { topics, isListed, showsSubmissions, showsAchievements }: ProfileChoices,
): Promise<void> {
  const { error } = await client.rpc("set_profile_choices", {
    topics: [...topics],
    is_listed: isListed,
    shows_submissions: showsSubmissions,
    shows_achievements: showsAchievements,
  });
  if (error) throw error;
}
