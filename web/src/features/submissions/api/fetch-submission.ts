import type { BackendClient } from "@/lib/backend-client.ts";
import { toSubmission, type Submission } from "../model/submission.ts";
import { submissionColumns } from "./fetch-submissions.ts";

/**
 * Reads one submission; null when there is none the member may read. Throws the database's error.
 */
export async function fetchSubmission(
  client: BackendClient,
  id: string,
): Promise<Submission | null> {
  const { data, error } = await client
    .from("learning_submissions")
    .select(submissionColumns)
    .eq("id", id)
    .maybeSingle();
  if (error) throw error;
  return toSubmission(data);
}
