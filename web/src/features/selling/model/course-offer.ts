import * as z from "zod/mini";

const answer = z.object({
  terms: z.object({
    share_basis_points: z.number(),
    referral_basis_points: z.number(),
    refund_days: z.number(),
  }),
  pending_days: z.number(),
  courses: z.array(
    z.object({
      course_id: z.string(),
      title: z.string(),
      price_pence: z.number(),
      is_published: z.boolean(),
      suggested_slug: z.string(),
      slug: z.nullable(z.string()),
      outcomes: z.array(z.string()),
      free_module_id: z.nullable(z.string()),
      is_on_sale: z.boolean(),
      is_open: z.boolean(),
      ended_at: z.nullable(z.string()),
      ended_reason: z.nullable(z.string()),
      modules: z.array(z.object({ id: z.string(), title: z.string() })),
      sales: z.number(),
      taken_back: z.number(),
      earned_pence: z.number(),
    }),
  ),
});

/** A priced course of the mentor, and its sale. */
export interface CourseOffer {
  readonly courseId: string;
  readonly title: string;
  readonly pricePence: number;
  readonly isPublished: boolean;
  readonly suggestedSlug: string;
  /** Null while it was never offered. */
  readonly slug: string | null;
  readonly outcomes: readonly string[];
  readonly freeModuleId: string | null;
  readonly isOnSale: boolean;
  /** On sale, and nothing prevents it. */
  readonly isOpen: boolean;
  /** Why an administrator ended the sale; null when none did. */
  readonly endedReason: string | null;
  readonly modules: readonly { readonly id: string; readonly title: string }[];
  readonly sales: number;
  /** Sales that were refunded in full or are disputed. */
  readonly takenBack: number;
  readonly earnedPence: number;
}

export interface MentorSales {
  readonly shareBasisPoints: number;
  readonly referralBasisPoints: number;
  readonly refundDays: number;
  readonly pendingDays: number;
  readonly courses: readonly CourseOffer[];
}

/** Whether `save_course_offer` puts a course of this price on sale. */
export function isSalePrice(pence: number): boolean {
  return pence >= 100 && pence <= 500_000;
}

/** Reads what a mentor sells. Throws on another shape. */
export function toMentorSales(value: unknown): MentorSales {
  const { terms, pending_days: pendingDays, courses } = answer.parse(value);
  return {
    shareBasisPoints: terms.share_basis_points,
    referralBasisPoints: terms.referral_basis_points,
    refundDays: terms.refund_days,
    pendingDays,
    courses: courses.map((row) => ({
      courseId: row.course_id,
      title: row.title,
      pricePence: row.price_pence,
      isPublished: row.is_published,
      suggestedSlug: row.suggested_slug,
      slug: row.slug,
      outcomes: row.outcomes,
      freeModuleId: row.free_module_id,
      isOnSale: row.is_on_sale,
      isOpen: row.is_open,
      endedReason: row.ended_at === null ? null : (row.ended_reason ?? ""),
      modules: row.modules,
      sales: row.sales,
      takenBack: row.taken_back,
      earnedPence: row.earned_pence,
    })),
  };
}
