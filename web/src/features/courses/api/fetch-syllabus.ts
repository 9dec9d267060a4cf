import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";

const syllabusShape = z.array(z.object({ title: z.string(), minutes: z.number() }));

/** A lesson as members see it before they enrol. */
export type SyllabusLine = z.infer<typeof syllabusShape>[number];

/** Reads titles and minutes of a course's lessons, in order. Throws the database's error. */
export async function fetchSyllabus(
  client: BackendClient,
  courseId: string,
): Promise<readonly SyllabusLine[]> {
  const { data, error } = await client.rpc("course_syllabus", { course_id: courseId });
  if (error) throw error;
  return syllabusShape.parse(data);
}
