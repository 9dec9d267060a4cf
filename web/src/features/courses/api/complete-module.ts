import type { BackendClient } from "@/lib/backend-client.ts";
import { uniqueViolation } from "@/lib/error-codes.ts";
import { toAppError } from "@/lib/errors.ts";

/**
 * Records a completed module; the server works out the progress. A second time is as good as the
 * first. Throws the database's error.
 */
export async function completeModule(
  client: BackendClient,
  userId: string,
  moduleId: string,
): Promise<void> {
  const { error } = await client
    .from("module_completions")
    .insert({ user_id: userId, module_id: moduleId });
  if (error && toAppError(error).code !== uniqueViolation) throw error;
}
