import type { BackendClient } from "@/lib/backend-client.ts";
import { nothingDone, toProgress, type MemberProgress } from "../model/progress-row.ts";

/**
 * Reads what a member has done. A member without a row gets one, from which the server counts on.
 * Throws the database's error.
 */
export async function fetchProgress(
  client: BackendClient,
  userId: string,
): Promise<MemberProgress> {
  const { data, error } = await client
    .from("user_progress")
    .select("*")
    .eq("user_id", userId)
    .maybeSingle();
  if (error) throw error;
  if (data === null) await client.from("user_progress").insert({ user_id: userId });
  return toProgress(data) ?? nothingDone;
}
