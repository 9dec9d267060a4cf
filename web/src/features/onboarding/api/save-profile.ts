import type { BackendClient } from "@/lib/backend-client.ts";
import type { Answers, ProfileKey } from "../model/questions.ts";

/** A line without spaces around it, and with one where several, or a tab of a copied cell, stood. */
const lineOf = (answer: string) => answer.trim().replaceAll(/\s+/g, " ");

/** Puts name, occupation and bio on the profile. Throws the database's error. */
export async function saveProfile(
  client: BackendClient,
  userId: string,
  answers: Answers,
): Promise<void> {
  const written: Readonly<Record<ProfileKey, string | null>> = {
    first_name: lineOf(answers.first_name),
    last_name: lineOf(answers.last_name),
    occupation: lineOf(answers.occupation),
    bio: answers.bio.trim() === "" ? null : answers.bio.trim(),
  };
  const { error } = await client
    .from("profiles")
    .upsert({ ...written, id: userId, updated_at: new Date().toISOString() }, { onConflict: "id" });
  if (error) throw error;
}
