import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";

const answer = z.nullable(
  z.object({
    slug: z.string(),
    is_on_sale: z.boolean(),
    is_open: z.boolean(),
    ended_at: z.nullable(z.string()),
    ended_reason: z.nullable(z.string()),
  }),
);

/** The sale of a course to people who are no members. */
export interface ContentSale {
  readonly slug: string;
  readonly isOnSale: boolean;
  /** On sale, and nothing prevents it. */
  readonly isOpen: boolean;
  /** When an administrator ended it, in epoch milliseconds, and why; null when none did. */
  readonly ended: { readonly at: number; readonly reason: string } | null;
}

/** Reads the sale of a course; null when it was never offered. Throws the database's error. */
export async function fetchContentSale(
  client: BackendClient,
  courseId: string,
): Promise<ContentSale | null> {
  const { data, error } = await client.rpc("content_sale", { course: courseId });
  if (error) throw error;
  const sale = answer.parse(data);
  if (sale === null) return null;
  return {
    slug: sale.slug,
    isOnSale: sale.is_on_sale,
    isOpen: sale.is_open,
    ended:
      sale.ended_at === null
        ? null
        : { at: Date.parse(sale.ended_at), reason: sale.ended_reason ?? "" },
  };
}

/** Takes a course off sale until an administrator allows it again. Throws the database's error. */
export async function endCourseSale(
  client: BackendClient,
  courseId: string,
  reason: string,
): Promise<void> {
  const { error } = await client.rpc("end_course_sale", { course: courseId, reason });
  if (error) throw error;
}

/** Lets the mentor put a course on sale again. Throws the database's error. */
export async function allowCourseSale(
  client: BackendClient,
  courseId: string,
  reason: string,
): Promise<void> {
  const { error } = await client.rpc("allow_course_sale", { course: courseId, reason });
  if (error) throw error;
}
