import type { Category } from "@/domain/categories.ts";
import type { BackendClient } from "@/lib/backend-client.ts";
import { toCourse, withModulesAsBegun, type Course } from "../model/course.ts";

/** Which course, and where its address says it stands. */
export interface CourseAddress {
  readonly category: Category;
  readonly slug: string;
  readonly courseId: string;
}

/**
 * Reads one published course with its subcategory, its mentor, the member's enrolment and, when there is
 * one, the modules of the version the member takes. Null when there is none under this address. Throws the database's error.
 */
export async function fetchCourse(
  client: BackendClient,
  { category, slug, courseId }: CourseAddress,
): Promise<Course | null> {
  const { data, error } = await client
    .from("courses")
    .select(
      "*, subcategory:subcategories!inner(slug, name), mentor:profiles(id, first_name, last_name, role), enrollments:course_enrollments(progress_percentage, completed_at, course_version), modules:course_modules(id, slug, title, content, module_order, video_url, estimated_duration, completions:module_completions(module_id))",
    )
    .eq("id", courseId)
    .eq("is_published", true)
    .eq("subcategory.main_category", category)
    .eq("subcategory.slug", slug)
    .eq("modules.is_published", true)
    .maybeSingle();
  if (error) throw error;
  if (data === null) return null;
  const course = toCourse(data);
  if (course.enrollment?.isBehind !== true) return course;
  const begun = await client.rpc("enrolled_course_version", { course_id: courseId });
  if (begun.error) throw begun.error;
  return begun.data === null ? course : withModulesAsBegun(course, begun.data);
}
