import type { BackendClient } from "@/lib/backend-client.ts";
import type { Answers } from "../model/questions.ts";

/** Puts name, occupation and bio on the profile. Throws the database's error. */
export async function saveProfile(
  client: BackendClient,
  userId: string,
  answers: Answers,
): Promise<void> {
  const { error } = await client.from("profiles").upsert(
    {
      id: userId,
      first_name: answers.first_name.trim(),
      last_name: answers.last_name.trim(),
      occupation: answers.occupation.trim(),
      bio: answers.bio.trim() === "" ? null : answers.bio.trim(),
      updated_at: new Date().toISOString(),
    },
    { onConflict: "id" },
  );
  if (error) throw error;
}
