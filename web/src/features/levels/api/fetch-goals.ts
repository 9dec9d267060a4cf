import type { BackendClient } from "@/lib/backend-client.ts";

/** What the member wants to reach, as they wrote it at onboarding or later. Empty when they left it out. */
export interface Goals {
  readonly inSixMonths: string;
  readonly inAYear: string;
}

/** The member's own goals. Throws the database's error. */
export async function fetchGoals(client: BackendClient, userId: string): Promise<Goals> {
  const { data, error } = await client
    .from("onboarding_responses")
    .select("question, answer")
    .eq("user_id", userId)
    .eq("page_number", 6)
    .in("question", ["goals_6_months", "goals_1_year"]);
  if (error) throw error;
  const answerTo = (question: string) =>
    data.find((each) => each.question === question)?.answer?.trim() ?? "";
  return { inSixMonths: answerTo("goals_6_months"), inAYear: answerTo("goals_1_year") };
}
