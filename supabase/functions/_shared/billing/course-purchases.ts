import { z } from "zod";
import { callRpc, type DatabaseClient } from "../database/database-client.ts";
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
  readonly #service: DatabaseClient;

  constructor(service: DatabaseClient) {
    this.#service = service;
  }

  /** Opens an attempt at the price of the course, in pence, which the buyer saw, or says why there is none. */
  async begin(
    member: string,
    slug: string,
    expectedPence: number,
    joining: string | undefined,
  ): Promise<z.infer<typeof begun>> {
    const args = { member, slug, expected_pence: expectedPence, joining: joining ?? null };
    return begun.parse(await callRpc(this.#service, "billing_begin_course_purchase", args));
  }

  /** True when the attempt is still the open one and may confirm this payment. */
  async recordPayment(purchase: string, paymentIntent: string): Promise<boolean> {
    const args = { purchase, payment_intent: paymentIntent };
    return (await callRpc(this.#service, "billing_record_course_payment", args)) === true;
  }

  async end(purchase: string, outcome: PurchaseOutcome): Promise<void> {
    await callRpc(this.#service, "billing_end_course_purchase", { purchase, outcome });
  }

  /** Attempts of one account whose payment may still be made. */
  async openOf(member: string): Promise<CourseAttempt[]> {
    const open = await callRpc(this.#service, "billing_open_course_purchases", { member });
    return z.array(attempt).parse(open);
  }

  /** Attempts to compare with the provider. */
  async takeDue(): Promise<CourseAttempt[]> {
    const due = await callRpc(this.#service, "billing_take_course_purchases", {});
    return z.array(attempt).parse(due);
  }
}
