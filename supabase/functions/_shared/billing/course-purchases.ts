import { z } from "zod";
import { callRpc, type DatabaseClient } from "../database/database-client.ts";
import type { PurchaseOutcome } from "./billing-database.ts";
import {
  begunPayment,
  paymentAttempt,
  type PaymentAttempt,
  type PaymentAttempts,
} from "./payment-attempts.ts";

const begun = begunPayment([
  "not_on_sale",
  "own_course",
  "owned",
  "disputed",
  "included",
  "price_changed",
]);

/** The functions of the database about bought courses. Every method throws the database's error. */
export class CoursePurchases implements PaymentAttempts {
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
  async openOf(member: string): Promise<PaymentAttempt[]> {
    const open = await callRpc(this.#service, "billing_open_course_purchases", { member });
    return z.array(paymentAttempt).parse(open);
  }

  /** Attempts to compare with the provider. */
  async takeDue(): Promise<PaymentAttempt[]> {
    const due = await callRpc(this.#service, "billing_take_course_purchases", {});
    return z.array(paymentAttempt).parse(due);
  }
}
