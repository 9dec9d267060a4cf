import * as z from "zod/mini";
import { categories } from "@/domain/categories.ts";
import type { BackendClient } from "@/lib/backend-client.ts";
import { knownItems } from "@/domain/known-items.ts";

const trainingShape = z.object({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  estimated_duration: z.number(),
  module_count: z.number(),
  subcategory: z.object({ main_category: z.enum(categories), slug: z.string() }),
  enrollments: z.array(z.object({ progress_percentage: z.number() })),
});

/** A course of the mentors' training, as `courses` answers it. */
export type TrainingCourse = z.infer<typeof trainingShape>;

/** Reads the published courses open to all mentors. Throws the database's error. */
export async function fetchTraining(client: BackendClient): Promise<TrainingCourse[]> {
  const { data, error } = await client
    .from("courses")
    .select(
      "id, slug, title, description, estimated_duration, module_count, subcategory:subcategories!inner(main_category, slug), enrollments:course_enrollments(progress_percentage)",
    )
    .eq("is_published", true)
    .eq("subcategory.open_to_mentors", true)
    .order("display_order")
    .order("title");
  if (error) throw error;
  return knownItems(trainingShape).parse(data);
}
