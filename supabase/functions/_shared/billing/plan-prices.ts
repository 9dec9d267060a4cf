import type { BillingContext } from "./billing-context.ts";
import type { SecondFactorAdmin } from "../http/admin-caller.ts";
import { errorForLog, FunctionError } from "../http/responses.ts";
import { idOf } from "./subscription-snapshot.ts";

/** A price to put on sale; the amount in the currency's smallest unit. */
export interface PriceRequest {
  /** Idempotency key: the same id makes one price. */
  id: string;
  plan: string;
  interval: "month" | "year";
  amount: number;
  reason: string;
}

/**
 * Makes a price under the plan's product at the provider and puts it on sale, in the place of the one before it. That one stays
 * as it is at the provider, because members go on paying it.
 * @returns the id of the price.
 * @throws {FunctionError} 400 invalid_plan, 409 same_price.
 */
export async function sellAtPrice(
  { stripe, database }: BillingContext,
  { account }: SecondFactorAdmin,
  request: PriceRequest,
): Promise<string> {
  const ofPlan = (await database.catalogue()).filter(
    ({ plan_id: plan, is_current: isCurrent }) => isCurrent && plan === request.plan,
  );
  const [listed] = ofPlan;
  if (listed === undefined) throw new FunctionError(400, "invalid_plan", "There is no such plan.");
  const { currency } = listed;
  const metadata = { request_id: request.id };
  const existing = ofPlan.find(({ interval }) => interval === request.interval);
  if (existing?.amount === request.amount) {
    // The answer to the first call may have been lost.
    const { metadata: made } = await stripe.prices.retrieve(existing.price_id);
    if (made["request_id"] === request.id) return existing.price_id;
    throw new FunctionError(409, "same_price", "This is what the plan costs already.");
  }
  const { plan, interval, amount, reason } = request;
  const detail = { request: request.id, plan_id: plan, interval, amount_pence: amount, reason };
  await database.auditMoney(account.id, "plan_price.create_started", detail);
  try {
    const { product } = await stripe.prices.retrieve(listed.price_id);
    const price = await stripe.prices.create(
      {
        product: idOf(product),
        unit_amount: amount,
        currency,
        recurring: { interval },
        // VAT is part of every price.
        tax_behavior: "inclusive",
        metadata,
      },
      { idempotencyKey: `${request.id}-price` },
    );
    const sale = {
      plan_id: plan,
      interval,
      amount_pence: amount,
      currency: currency.toUpperCase(),
      reason,
    };
    await database.addPlanPrice(account.id, price.id, sale);
    return price.id;
  } catch (error) {
    const failed = { ...detail, error: errorForLog(error) };
    await database.auditMoney(account.id, "plan_price.create_failed", failed);
    throw error;
  }
}
