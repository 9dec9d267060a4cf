import type Stripe from "stripe";
import type { BillingContext } from "./billing-context.ts";
import type { SecondFactorAdmin } from "../http/admin-caller.ts";
import type { BillingDatabase } from "./billing-database.ts";
import type { JsonObject } from "../database/database-client.ts";
import { errorForLog, FunctionError } from "../http/responses.ts";
import { isInvalidRequest, isResourceMissing } from "./stripe-client.ts";
import { idOf } from "./subscription-snapshot.ts";

/** A discount and the code for it. Amounts in the currency's smallest unit, times in epoch seconds. */
export interface CouponRequest {
  /** Idempotency key: the same id makes one coupon. */
  id: string;
  code: string;
  percentOff: number | null;
  amountOff: number | null;
  duration: "once" | "repeating" | "forever";
  months: number | null;
  expiresAt: number | null;
  maxRedemptions: number | null;
  plan: string | null;
  /** Only for members without an earlier payment. */
  newMembersOnly: boolean;
  reason: string;
}

/** A code as the console shows it. */
export type ListedCoupon = {
  id: string;
  code: string;
  is_active: boolean;
  percent_off: number | null;
  amount_off_pence: number | null;
  duration: string;
  months: number | null;
  expires_at: number | null;
  max_redemptions: number | null;
  redemptions: number;
  plan_id: string | null;
  new_members_only: boolean;
  created_at: number;
};

/** The latest hundred codes, newest first. */
export async function listCoupons({ stripe }: BillingContext): Promise<ListedCoupon[]> {
  const { data } = await stripe.promotionCodes.list({
    limit: 100,
    expand: ["data.promotion.coupon"],
  });
  return data.map(listedOf);
}

function listedOf(code: Stripe.PromotionCode): ListedCoupon {
  const coupon = typeof code.promotion.coupon === "object" ? code.promotion.coupon : null;
  return {
    id: code.id,
    code: code.code,
    is_active: code.active,
    percent_off: coupon?.percent_off ?? null,
    amount_off_pence: coupon?.amount_off ?? null,
    duration: coupon?.duration ?? "once",
    months: coupon?.duration_in_months ?? null,
    expires_at: code.expires_at,
    max_redemptions: code.max_redemptions,
    redemptions: code.times_redeemed,
    plan_id: code.metadata?.["plan_id"] ?? null,
    new_members_only: code.restrictions.first_time_transaction,
    created_at: code.created,
  };
}

/**
 * Makes a coupon and its code at the provider, and audits it.
 * @throws {FunctionError} 409 code_taken, 400 invalid_plan.
 */
export async function createCoupon(
  { stripe, database }: BillingContext,
  { account }: SecondFactorAdmin,
  request: CouponRequest,
): Promise<ListedCoupon> {
  const [price] = (await database.catalogue()).filter(
    ({ plan_id: plan, is_current: isCurrent }) => isCurrent && plan === (request.plan ?? plan),
  );
  if (price === undefined) throw new FunctionError(400, "invalid_plan", "There is no such plan.");
  const product =
    request.plan === null ? null : idOf((await stripe.prices.retrieve(price.price_id)).product);
  const detail = { request: request.id, reason: request.reason };
  return await audited(database, account.id, "create", "created", {
    started: { ...detail, before: null, after: { ...request } },
    failed: { ...detail, code: request.code },
    run: async () => {
      const made = await makeCoupon(stripe, request, price.currency, product);
      return [made, { ...detail, before: null, after: made }];
    },
  });
}

/**
 * Runs a change at the provider between two entries of the audit log, so that no change is without one.
 * The second one says that it was done, or that it failed and why.
 */
async function audited<T>(
  database: BillingDatabase,
  admin: string,
  verb: "create" | "deactivate",
  done: "created" | "deactivated",
  steps: {
    started: JsonObject;
    failed: JsonObject;
    /** Returns its result and what the entry holds. */
    run: () => Promise<[result: T, detail: JsonObject]>;
  },
): Promise<T> {
  await database.auditMoney(admin, `coupon.${verb}_started`, steps.started);
  let ended: [T, JsonObject];
  try {
    ended = await steps.run();
  } catch (error) {
    const failed = { ...steps.failed, error: errorForLog(error) };
    await database.auditMoney(admin, `coupon.${verb}_failed`, failed);
    throw error;
  }
  await database.auditMoney(admin, `coupon.${done}`, ended[1]);
  return ended[0];
}

async function makeCoupon(
  stripe: Stripe,
  request: CouponRequest,
  currency: string,
  product: string | null,
): Promise<ListedCoupon> {
  const coupon = await stripe.coupons.create(
    {
      name: request.code.slice(0, 40),
      ...(request.percentOff === null
        ? { amount_off: request.amountOff ?? 0, currency }
        : { percent_off: request.percentOff }),
      duration: request.duration,
      ...(request.months !== null && { duration_in_months: request.months }),
      ...(product !== null && { applies_to: { products: [product] } }),
    },
    { idempotencyKey: `${request.id}-coupon` },
  );
  const code = await createCode(stripe, coupon.id, request);
  return listedOf({ ...code, promotion: { type: "coupon", coupon } });
}

/** The refusal of a name that another code has. */
export const codeTaken = (cause?: unknown) =>
  new FunctionError(409, "code_taken", "There is an active code of this name already.", { cause });

/** True when the provider has an active code of this name, in any case. */
export async function hasActivePromotionCode(
  { stripe }: BillingContext,
  code: string,
): Promise<boolean> {
  return (await stripe.promotionCodes.list({ code, active: true, limit: 1 })).data.length > 0;
}

async function createCode(
  stripe: Stripe,
  coupon: string,
  request: CouponRequest,
): Promise<Stripe.PromotionCode> {
  try {
    return await stripe.promotionCodes.create(
      {
        promotion: { type: "coupon", coupon },
        code: request.code,
        ...(request.expiresAt !== null && { expires_at: request.expiresAt }),
        ...(request.maxRedemptions !== null && { max_redemptions: request.maxRedemptions }),
        ...(request.newMembersOnly && { restrictions: { first_time_transaction: true } }),
        metadata: request.plan === null ? {} : { plan_id: request.plan },
      },
      { idempotencyKey: `${request.id}-code` },
    );
  } catch (error) {
    if (!isInvalidRequest(error)) throw error;
    throw codeTaken(error);
  }
}

/**
 * Turns a code off, and audits it. Memberships that use it keep their discount.
 * @throws {FunctionError} 404 code_not_found.
 */
export async function deactivateCoupon(
  { stripe, database }: BillingContext,
  { account }: SecondFactorAdmin,
  id: string,
  reason: string,
): Promise<void> {
  try {
    const before = await stripe.promotionCodes.retrieve(id);
    if (!before.active) return;
    const detail = {
      before: { id, code: before.code, is_active: true },
      after: { id, code: before.code, is_active: false },
      reason,
    };
    await audited(database, account.id, "deactivate", "deactivated", {
      started: detail,
      failed: { id, code: before.code, reason },
      run: async () => [await stripe.promotionCodes.update(id, { active: false }), detail],
    });
  } catch (error) {
    if (!isResourceMissing(error)) throw error;
    throw new FunctionError(404, "code_not_found", "There is no such code.", { cause: error });
  }
}
