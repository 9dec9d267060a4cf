import type { BackendClient } from "@/lib/backend-client.ts";
import { questionsOf, type Answers } from "../model/questions.ts";

/** Stores the answers of one page, one row each. Throws the database's error. */
export async function saveResponses(
  client: BackendClient,
  userId: string,
  page: 6 | 7,
  answers: Answers,
): Promise<void> {
  const rows = questionsOf(page).map((question) => ({
    user_id: userId,
    page_number: page,
    question: question.key,
    answer: answers[question.key].trim(),
  }));
  const { error } = await client
    .from("onboarding_responses")
    .upsert(rows, { onConflict: "user_id,page_number,question" });
  if (error) throw error;
}
