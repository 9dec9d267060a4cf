import type { BackendClient } from "@/lib/backend-client.ts";

/** Sets or takes the featured mark. Administrators only. Throws the database's error. */
export async function featureSubmission(
  client: BackendClient,
  submissionId: string,
  featured: boolean,
): Promise<void> {
  const { error } = await client.rpc("feature_submission", {
    submission_id: submissionId,
    featured,
  });
  if (error) throw error;
}
