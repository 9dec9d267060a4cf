import type { BackendClient } from "@/lib/backend-client.ts";
import { toMentorSales, type MentorSales } from "../model/course-offer.ts";

/** What the mentor sells or can sell. Throws the database's error. */
export async function fetchMentorSales(client: BackendClient): Promise<MentorSales> {
  const { data, error } = await client.rpc("my_course_offers");
  if (error) throw error;
  return toMentorSales(data);
}

export interface OfferChange {
  readonly courseId: string;
  readonly slug: string;
  readonly outcomes: readonly string[];
  readonly freeModuleId: string;
  readonly isOnSale: boolean;
}

/** Begins, changes or ends the sale of a course. Throws the database's error. */
export async function saveCourseOffer(client: BackendClient, change: OfferChange): Promise<void> {
  const { error } = await client.rpc("save_course_offer", {
    course: change.courseId,
    slug: change.slug,
    outcomes: [...change.outcomes],
    free_module: change.freeModuleId,
    is_on_sale: change.isOnSale,
  });
  if (error) throw error;
}
