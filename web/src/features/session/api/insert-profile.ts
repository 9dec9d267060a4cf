import type { BackendClient } from "@/lib/backend-client.ts";
import { uniqueViolation } from "@/lib/error-codes.ts";
import { toAppError, type AppError } from "@/lib/errors.ts";

/** Creates the first, empty profile of a user. A profile that is already there is no error. */
export async function insertProfile(
  client: BackendClient,
  userId: string,
): Promise<AppError | null> {
  const { error } = await client
    .from("profiles")
    .insert({ id: userId, onboarding_complete: false, role: "student" });
  return error === null || error.code === uniqueViolation ? null : toAppError(error);
}
