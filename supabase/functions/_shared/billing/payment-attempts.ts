import { z } from "zod";
import type { PurchaseOutcome } from "./billing-database.ts";

export const paymentAttempt = z.object({
  purchase_id: z.string(),
  payment_intent_id: z.string().nullable(),
});
/** An attempt at buying something, and its payment once there is one. */
export type PaymentAttempt = z.infer<typeof paymentAttempt>;

/** What the database answers to an attempt; `refused` are the states of what is bought. */
export function begunPayment<const Refused extends string>(refused: readonly Refused[]) {
  const others = z
    .object({ state: z.enum(refused) })
    .transform(({ state: why }) => ({ state: "refused" as const, why }));
  return z.union([
    z.discriminatedUnion("state", [
      z.object({ state: z.enum(["paid", "too_many"]) }),
      z.object({ state: z.literal("busy"), purchase_id: z.string() }),
      z.object({ state: z.literal("joined"), payment_intent_id: z.string() }),
      z.object({
        state: z.literal("begun"),
        purchase_id: z.string(),
        /** Pence. */
        amount: z.number(),
        title: z.string(),
        leftovers: z.array(paymentAttempt.extend({ is_same: z.boolean() })),
      }),
    ]),
    others,
  ]);
}
export type BegunPayment<Refused extends string> = z.infer<
  ReturnType<typeof begunPayment<Refused>>
>;

/** Where attempts at one-off payments are kept. Every method throws the database's error. */
export interface PaymentAttempts {
  /** True when the attempt is still the open one and may confirm this payment. */
  recordPayment: (purchase: string, paymentIntent: string) => Promise<boolean>;
  end: (purchase: string, outcome: PurchaseOutcome) => Promise<void>;
  /** Attempts of one account whose payment may still be made. */
  openOf: (member: string) => Promise<PaymentAttempt[]>;
  /** Attempts to compare with the provider. */
  takeDue: () => Promise<PaymentAttempt[]>;
}
