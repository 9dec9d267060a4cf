import type Stripe from "stripe";
import { z } from "zod";
import { callRpc, type DatabaseClient } from "../database/database-client.ts";
import type { BillingContext } from "./billing-context.ts";
import type { ListedPrice } from "./billing-database.ts";
import type { Member } from "../http/caller.ts";
import { FunctionError } from "../http/responses.ts";
import { orWhenMissing } from "./stripe-client.ts";
import { idOf } from "./subscription-snapshot.ts";

/** What a code gives at the beginning of a membership. Amounts in the currency's smallest unit. */
export interface CodeOffer {
  code: string;
  /** The promotion code at the provider; null for a trial. */
  promotionCode: string | null;
  /** Free days before the first payment; null for a discount. */
  trialDays: number | null;
  currency: string;
  /** Charged at once. */
  dueNow: number;
  /** Charged each month while the code lasts. */
  whileItLasts: number;
  /** Months the discount lasts, the first included; null for as long as the membership. */
  months: number | null;
  /** Charged each month after that. */
  afterwards: number;
}

const trialCode = z
  .object({ code: z.string(), days: z.number(), problem: z.string().nullable() })
  .nullable();

const messages: Readonly<Record<string, string>> = {
  code_not_found: "We don't recognise this code. Check it and try again.",
  code_expired: "This code has expired.",
  code_used_up: "This code has been used as often as it can be.",
  code_wrong_plan: "This code is for the other plan.",
  code_new_members_only: "This code is for new members only.",
};

const refusal = (code: string) =>
  new FunctionError(code === "code_not_found" ? 404 : 409, code, messages[code] ?? "");

/**
 * Looks a code up and says what it gives for a price. With `redeem` a trial code is taken; the provider takes its own
 * codes with the subscription.
 * @throws {FunctionError} 404 code_not_found, 409 code_expired, code_used_up, code_wrong_plan or code_new_members_only.
 */
export async function requireCode(
  { stripe, database }: BillingContext,
  service: DatabaseClient,
  member: Member,
  { code, price, redeem }: { code: string; price: string; redeem: boolean },
): Promise<CodeOffer> {
  const listed = (await database.catalogue()).find(
    (each) => each.price_id === price && each.is_current,
  );
  if (listed === undefined) {
    throw new FunctionError(400, "invalid_price", "This plan is not on sale.");
  }
  const args = { member: member.id, given: code, price, redeem };
  const trial = trialCode.parse(await callRpc(service, "billing_trial_code", args));
  if (trial !== null) {
    if (trial.problem !== null) throw refusal(trial.problem);
    return {
      code: trial.code,
      promotionCode: null,
      trialDays: trial.days,
      currency: listed.currency,
      dueNow: 0,
      whileItLasts: listed.amount,
      months: null,
      afterwards: listed.amount,
    };
  }
  const { customer_id: customer } = await database.customer(member.id);
  return await promotionOffer(stripe, listed, code, customer);
}

async function promotionOffer(
  stripe: Stripe,
  listed: ListedPrice,
  code: string,
  customer: string | null,
): Promise<CodeOffer> {
  const { data } = await stripe.promotionCodes.list({
    code,
    limit: 100,
    expand: ["data.promotion.coupon", "data.promotion.coupon.applies_to"],
  });
  const found = data.find(({ active }) => active) ?? data[0];
  const coupon = found?.promotion.coupon;
  if (found === undefined || typeof coupon !== "object" || coupon === null) {
    throw refusal("code_not_found");
  }
  if (found.max_redemptions !== null && found.times_redeemed >= found.max_redemptions) {
    throw refusal("code_used_up");
  }
  const isOver = found.expires_at !== null && found.expires_at * 1000 <= Date.now();
  if (!found.active || !coupon.valid || isOver) throw refusal("code_expired");
  if (found.restrictions.first_time_transaction && (await hasPaid(stripe, customer))) {
    throw refusal("code_new_members_only");
  }
  if (coupon.applies_to) {
    const { product } = await stripe.prices.retrieve(listed.price_id);
    if (!coupon.applies_to.products.includes(idOf(product))) throw refusal("code_wrong_plan");
  }
  if (coupon.amount_off !== null && coupon.currency !== listed.currency) {
    throw refusal("code_wrong_plan");
  }
  const reduced = discounted(listed.amount, coupon);
  return {
    code: found.code,
    promotionCode: found.id,
    trialDays: null,
    currency: listed.currency,
    dueNow: reduced,
    whileItLasts: reduced,
    months:
      coupon.duration === "forever"
        ? null
        : coupon.duration === "once"
          ? 1
          : (coupon.duration_in_months ?? 1),
    afterwards: listed.amount,
  };
}

/**
 * Whether a customer has made a payment of any kind, refunded or not, or has a paid invoice, be it over nothing. Stripe
 * counts open invoices, too: those of an unfinished purchase are voided before the next, others follow a paid one.
 */
async function hasPaid(stripe: Stripe, customer: string | null): Promise<boolean> {
  if (customer === null) return false;
  const paid = stripe.invoices.list({ customer, status: "paid", limit: 1 });
  const invoices = await orWhenMissing(paid, { data: [] });
  if (invoices.data.length > 0) return true;
  const charges = await orWhenMissing(stripe.charges.list({ customer, limit: 100 }), { data: [] });
  return charges.data.some(({ status }) => status === "succeeded");
}

/** The amount after a coupon, never below 0. */
function discounted(amount: number, coupon: Stripe.Coupon): number {
  const off =
    coupon.percent_off === null
      ? (coupon.amount_off ?? 0)
      : Math.round((amount * coupon.percent_off) / 100);
  return Math.max(0, amount - off);
}
