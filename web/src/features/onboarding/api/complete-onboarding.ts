import type { BackendClient } from "@/lib/backend-client.ts";
import type { Answers } from "../model/questions.ts";
import { saveProfile } from "./save-profile.ts";
import { saveResponses } from "./save-responses.ts";

/**
 * Finishes onboarding: the answers once more, in case an earlier save was lost on the way, then
 * the profile's mark and level 1. Throws the database's error; it may simply be tried again.
 */
export async function completeOnboarding(
  client: BackendClient,
  userId: string,
  answers: Answers,
): Promise<void> {
  await Promise.all([
    saveResponses(client, userId, 6, answers),
    saveResponses(client, userId, 7, answers),
    saveProfile(client, userId, answers),
  ]);
  const profile = await client
    .from("profiles")
    .update({ onboarding_complete: true, updated_at: new Date().toISOString() })
    .eq("id", userId);
  if (profile.error) throw profile.error;
  const level = await client.from("user_levels").upsert(
    {
      user_id: userId,
      current_level: 1,
      unlocked_levels: [0, 1],
      updated_at: new Date().toISOString(),
    },
    { onConflict: "user_id" },
  );
  if (level.error) throw level.error;
}
