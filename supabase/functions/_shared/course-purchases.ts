import type { SupabaseClient } from "@supabase/supabase-js";
import { z } from "zod";
import type { PurchaseOutcome } from "./billing-database.ts";

const attempt = z.object({ purchase_id: z.string(), payment_intent_id: z.string().nullable() });
const begun = z.discriminatedUnion("state", [
  z.object({
    state: z.enum([
      "not_on_sale",
      "own_course",
      "owned",
      "paid",
      "disputed",
      "included",
      "price_changed",
      "too_many",
    ]),
  }),
  z.object({ state: z.literal("busy"), purchase_id: z.string() }),
  z.object({ state: z.literal("joined"), payment_intent_id: z.string() }),
  z.object({
    state: z.literal("begun"),
    purchase_id: z.string(),
    /** Pence. */
    amount: z.number(),
    title: z.string(),
    leftovers: z.array(attempt.extend({ is_same: z.boolean() })),
  }),
]);

/** An attempt at buying a course, and its payment once there is one. */
export type CourseAttempt = z.infer<typeof attempt>;
export type BegunCoursePurchase = Extract<z.infer<typeof begun>, { state: "begun" }>;

/** The functions of the database about bought courses. Every method throws the database's error. */
export class CoursePurchases {
  readonly #service: SupabaseClient;

  constructor(service: SupabaseClient) {
    this.#service = service;
  }

  async #call<T extends z.ZodType>(
    name: string,
    args: Record<string, unknown>,
    shape: T,
  ): Promise<z.infer<T>> {
    const { data, error } = await this.#service.rpc(name, args);
    if (error) throw new Error(name, { cause: error });
    return shape.parse(data);
  }

  /** Opens an attempt at the price of the course, in pence, which the buyer saw, or says why there is none. */
  async begin(
    member: string,
    slug: string,
    expectedPence: number,
    joining: string | undefined,
  ): Promise<z.infer<typeof begun>> {
    const args = { member, slug, expected_pence: expectedPence, joining: joining ?? null };
    return await this.#call("billing_begin_course_purchase", args, begun);
  }

  /** True when the attempt is still the open one and may confirm this payment. */
  async recordPayment(purchase: string, paymentIntent: string): Promise<boolean> {
    const args = { purchase, payment_intent: paymentIntent };
    return await this.#call("billing_record_course_payment", args, z.boolean());
  }

  async end(purchase: string, outcome: PurchaseOutcome): Promise<void> {
    await this.#call("billing_end_course_purchase", { purchase, outcome }, z.unknown());
  }

  /** Attempts of one account whose payment may still be made. */
  async openOf(member: string): Promise<CourseAttempt[]> {
    return await this.#call("billing_open_course_purchases", { member }, z.array(attempt));
  }

  /** Attempts to compare with the provider. */
  async takeDue(): Promise<CourseAttempt[]> {
    return await this.#call("billing_take_course_purchases", {}, z.array(attempt));
  }
}
