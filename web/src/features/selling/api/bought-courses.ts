import { toCourse, type Course } from "@/features/courses/index.ts";
import type { BackendClient } from "@/lib/backend-client.ts";
import { toAppError } from "@/lib/errors.ts";
import { toPurchases, type Purchase } from "../model/purchase.ts";

/** What the reader bought, newest first. Throws the database's error. */
export async function fetchPurchases(client: BackendClient): Promise<Purchase[]> {
  const { data, error } = await client.rpc("my_courses");
  if (error) throw error;
  return toPurchases(data);
}

/** A bought course with its lessons; null when it is not among those the reader may read. Throws the database's error. */
export async function fetchBoughtCourse(
  client: BackendClient,
  courseId: string,
): Promise<Course | null> {
  const { data, error } = await client.rpc("bought_course", { course: courseId });
  if (error) {
    if (toAppError(error).code === "FF856") return null;
    throw error;
  }
  return toCourse(data);
}

/** Moves the reader to the newest version of a bought course. Throws the database's error. */
export async function takeNewestBoughtVersion(
  client: BackendClient,
  courseId: string,
): Promise<void> {
  const { error } = await client.rpc("take_newest_bought_version", { course: courseId });
  if (error) throw error;
}

/** Throws the database's error. */
export async function completeBoughtLesson(client: BackendClient, moduleId: string): Promise<void> {
  const { error } = await client.rpc("complete_bought_lesson", { module: moduleId });
  if (error) throw error;
}
