import type { BackendClient } from "@/lib/backend-client.ts";
import { toAnswers, type Answers, type ProfileKey } from "../model/questions.ts";

/** Reads what the member answered on a page: 7 from the profile, 6 from the answers. Throws the database's error. */
export async function fetchAnswers(
  client: BackendClient,
  userId: string,
  page: 6 | 7,
): Promise<Answers> {
  if (page === 7) {
    const { data, error } = await client
      .from("profiles")
      .select("first_name, last_name, occupation, bio")
      .eq("id", userId)
      .maybeSingle();
    if (error) throw error;
    // What is not read would be saved as empty, so that a field without its column must not compile.
    return toAnswers(data satisfies Readonly<Record<ProfileKey, string | null>> | null);
  }
  const { data, error } = await client
    .from("onboarding_responses")
    .select("question, answer")
    .eq("user_id", userId)
    .eq("page_number", page);
  if (error) throw error;
  return toAnswers(Object.fromEntries(data.map(({ question, answer }) => [question, answer])));
}
