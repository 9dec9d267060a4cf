import type { BackendClient } from "@/lib/backend-client.ts";

/** Whether the author lets visitors read the submission. Throws the database's error. */
export async function fetchVisitorConsent(
  client: BackendClient,
  submissionId: string,
): Promise<boolean> {
  const { data, error } = await client
    .from("submission_consents")
    .select("submission_id")
    .eq("submission_id", submissionId);
  if (error) throw error;
  return data.length > 0;
}

/** Lets visitors read one's own submission, or takes that back. Throws the database's error. */
export async function setVisitorConsent(
  client: BackendClient,
  userId: string,
  submissionId: string,
  agreed: boolean,
): Promise<void> {
  const table = client.from("submission_consents");
  const { error } = agreed
    ? await table.insert({ submission_id: submissionId, user_id: userId })
    : await table.delete().eq("submission_id", submissionId);
  // Agreed to in another tab.
  if (error && error.code !== "23505") throw error;
}
