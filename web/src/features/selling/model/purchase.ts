import * as z from "zod/mini";
import { knownItems } from "@/domain/known-items.ts";

const purchaseRows = knownItems(
  z.object({
    purchase_id: z.string(),
    course_id: z.nullable(z.string()),
    slug: z.nullable(z.string()),
    title: z.string(),
    amount_pence: z.number(),
    bought_at: z.string(),
    number: z.nullable(z.string()),
    refunded_pence: z.number(),
    card_brand: z.nullable(z.string()),
    card_last4: z.nullable(z.string()),
    receipt_url: z.optional(z.nullable(z.string())),
    state: z.enum(["waiting", "paid", "refunded", "disputed"]),
    lessons: z.number(),
    completed: z.number(),
    withdraw_until: z.optional(z.nullable(z.string())),
    withdraw_pence: z.optional(z.nullable(z.number())),
  }),
);

/** A course that the reader bought. */
export interface Purchase {
  readonly id: string;
  /** Null once the course was deleted. */
  readonly courseId: string | null;
  /** Of the course's public page; null when it has none any more. */
  readonly slug: string | null;
  readonly title: string;
  readonly amountPence: number;
  readonly boughtAt: number;
  /** The payment at the card provider; null while there is none. */
  readonly number: string | null;
  readonly refundedPence: number;
  readonly cardBrand: string | null;
  readonly cardLast4: string | null;
  /** The card provider's own receipt. */
  readonly receiptUrl: string | null;
  readonly state: "waiting" | "paid" | "refunded" | "disputed";
  readonly lessons: number;
  readonly completed: number;
  /** Until when it can be given back, and what is refunded; null when it can't. */
  readonly right: { readonly endsAt: number; readonly amountPence: number } | null;
}

/** Reads the buyer's purchases. Throws on another shape. */
export function toPurchases(value: unknown): Purchase[] {
  return purchaseRows.parse(value).map((row) => ({
    id: row.purchase_id,
    courseId: row.course_id,
    slug: row.slug,
    title: row.title,
    amountPence: row.amount_pence,
    boughtAt: Date.parse(row.bought_at),
    number: row.number,
    refundedPence: row.refunded_pence,
    cardBrand: row.card_brand,
    cardLast4: row.card_last4,
    receiptUrl: /^https?:\/\//.test(row.receipt_url ?? "") ? (row.receipt_url ?? null) : null,
    state: row.state,
    lessons: row.lessons,
    completed: row.completed,
    right:
      row.withdraw_until && row.withdraw_pence
        ? { endsAt: Date.parse(row.withdraw_until), amountPence: row.withdraw_pence }
        : null,
  }));
}
