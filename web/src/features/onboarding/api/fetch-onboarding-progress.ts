import type { BackendClient } from "@/lib/backend-client.ts";
import { toAnswers, type Answers } from "../model/questions.ts";

export interface SavedProgress {
  readonly currentStep: number;
  readonly answers: Answers;
}

/** Reads how far a member came. Null at the very start. Throws the database's error. */
export async function fetchOnboardingProgress(
  client: BackendClient,
  userId: string,
): Promise<SavedProgress | null> {
  const { data, error } = await client
    .from("onboarding_progress")
    .select("current_step, data")
    .eq("user_id", userId)
    .maybeSingle();
  if (error) throw error;
  if (data === null) return null;
  return { currentStep: data.current_step, answers: toAnswers(data.data) };
}
