import type { BackendClient } from "@/lib/backend-client.ts";
import type { Answers } from "../model/questions.ts";
import { completedBefore } from "../model/steps.ts";

/** Saves the step a member is at and all answers. Throws the database's error. */
export async function saveProgress(
  client: BackendClient,
  userId: string,
  step: number,
  answers: Answers,
): Promise<void> {
  const { error } = await client.from("onboarding_progress").upsert(
    {
      user_id: userId,
      current_step: step,
      completed_steps: completedBefore(step),
      data: { ...answers },
      updated_at: new Date().toISOString(),
    },
    { onConflict: "user_id" },
  );
  if (error) throw error;
}
