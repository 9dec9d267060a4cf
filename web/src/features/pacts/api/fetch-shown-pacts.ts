import type { BackendClient } from "@/lib/backend-client.ts";
import { shownPactsSchema, type ShownPact } from "../model/pact.ts";

/** Reads the pacts among up to 100 submissions. Throws the database's error. */
export async function fetchShownPacts(
  client: BackendClient,
  submissionIds: readonly string[],
): Promise<readonly ShownPact[]> {
  const { data, error } = await client.rpc("pacts_of_submissions", {
    submission_ids: [...submissionIds],
  });
  if (error) throw error;
  return shownPactsSchema.parse(data);
}
