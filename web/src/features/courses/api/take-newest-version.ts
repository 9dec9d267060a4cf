import type { BackendClient } from "@/lib/backend-client.ts";

/** Moves the member to the newest version of a course. Throws the database's error. */
export async function takeNewestVersion(client: BackendClient, courseId: string): Promise<void> {
  const { error } = await client.rpc("take_newest_version", { course_id: courseId });
  if (error) throw error;
}
