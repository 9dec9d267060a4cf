import type { BackendClient } from "@/lib/backend-client.ts";
import type { Answers, ProfileKey } from "../model/questions.ts";

/** Puts name, occupation and bio on the profile. Throws the database's error. */
export async function saveProfile(
  client: BackendClient,
  userId: string,
  answers: Answers,
): Promise<void> {
  const written: Readonly<Record<ProfileKey, string | null>> = {
    first_name: answers.first_name.trim(),
    last_name: answers.last_name.trim(),
    occupation: answers.occupation.trim(),
    bio: answers.bio.trim() === "" ? null : answers.bio.trim(),
  };
  const { error } = await client
    .from("profiles")
    .upsert({ ...written, id: userId, updated_at: new Date().toISOString() }, { onConflict: "id" });
  if (error) throw error;
}
