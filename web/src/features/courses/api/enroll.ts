import type { ReadingSource } from "@/domain/reading-source.ts";
import type { BackendClient } from "@/lib/backend-client.ts";
import { uniqueViolation } from "@/lib/error-codes.ts";
import { toAppError } from "@/lib/errors.ts";

/** Enrols the member, and says from where the member came. A second time is as good as the first. Throws the database's error. */
export async function enroll(
  client: BackendClient,
  userId: string,
  courseId: string,
  source: ReadingSource,
): Promise<void> {
  const { error } = await client
    .from("course_enrollments")
    .insert({ user_id: userId, course_id: courseId, enrolled_from: source });
  if (error && toAppError(error).code !== uniqueViolation) throw error;
}
