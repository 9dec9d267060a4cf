import * as z from "zod/mini";
import { knownItems } from "@/domain/known-items.ts";

const states = ["waiting", "unused", "used", "closed"] as const;

const answer = z.object({
  offers: z.array(
    z.object({
      plan_id: z.string(),
      plan_name: z.string(),
      months: z.number(),
      amount_pence: z.number(),
    }),
  ),
  gifts: knownItems(
    z.object({
      id: z.string(),
      name: z.string(),
      amount_pence: z.number(),
      bought_at: z.string(),
      code: z.nullable(z.string()),
      redeemed_at: z.nullable(z.string()),
      state: z.enum(states),
    }),
  ),
});

/** So many months of a plan, and what they cost. */
export interface GiftOffer {
  readonly planId: string;
  readonly planName: string;
  readonly months: number;
  readonly amountPence: number;
}

/** A gift that the reader bought. Times in epoch milliseconds. */
export interface Gift {
  readonly id: string;
  readonly name: string;
  readonly amountPence: number;
  readonly boughtAt: number;
  /** Null once it is used, and while it isn't good. */
  readonly code: string | null;
  readonly redeemedAt: number | null;
  readonly state: (typeof states)[number];
}

export interface Gifts {
  readonly offers: readonly GiftOffer[];
  readonly gifts: readonly Gift[];
}

/** Reads what can be given and what the reader gave. Throws on another shape. */
export function toGifts(value: unknown): Gifts {
  const { offers, gifts } = answer.parse(value);
  return {
    offers: offers.map((each) => ({
      planId: each.plan_id,
      planName: each.plan_name,
      months: each.months,
      amountPence: each.amount_pence,
    })),
    gifts: gifts.map((each) => ({
      id: each.id,
      name: each.name,
      amountPence: each.amount_pence,
      boughtAt: Date.parse(each.bought_at),
      code: each.code,
      redeemedAt: each.redeemed_at === null ? null : Date.parse(each.redeemed_at),
      state: each.state,
    })),
  };
}

const redemption = z.union([
  z.object({ state: z.literal("redeemed"), plan: z.string(), ends_at: z.string() }),
  z.object({ state: z.enum(["unknown", "used", "closed", "member", "admin"]) }),
]);

/** What became of a code: the membership it opened, or why it opened none. */
export type Redemption =
  | { readonly kind: "redeemed"; readonly plan: string; readonly endsAt: number }
  | { readonly kind: "unknown" | "used" | "closed" | "member" | "admin" };

/** Reads the answer to a code. Throws on another shape. */
export function toRedemption(value: unknown): Redemption {
  const answered = redemption.parse(value);
  return answered.state === "redeemed"
    ? { kind: "redeemed", plan: answered.plan, endsAt: Date.parse(answered.ends_at) }
    : { kind: answered.state };
}
