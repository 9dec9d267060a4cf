import { z } from "zod";
import { toFunctionError, requireVerifiedAdmin } from "../_shared/http/admin-caller.ts";
import { BillingDatabase } from "../_shared/billing/billing-database.ts";
import {
  codeTaken,
  createCoupon,
  deactivateCoupon,
  hasActivePromotionCode,
  listCoupons,
} from "../_shared/billing/coupons.ts";
import { callRpc } from "../_shared/database/database-client.ts";
import type { Deps } from "../_shared/deps.ts";
import { parseBody } from "../_shared/http/request-body.ts";
import { handlePost, jsonResponse, FunctionError } from "../_shared/http/responses.ts";
import { serviceClient } from "../_shared/database/service-client.ts";
import { isLiveMode, stripeClient } from "../_shared/billing/stripe-client.ts";

const reason = z.string().trim().min(1).max(500);
const codeName = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9-]{3,40}$/)
  .toUpperCase();
/** Epoch seconds up to the year 2100: larger numbers are mistakes, such as milliseconds. */
const expiry = z.int().max(4_102_444_800).nullable();
const couponsBody = z.discriminatedUnion("action", [
  z.object({ action: z.literal("list") }),
  z.object({
    action: z.literal("create"),
    request_id: z.uuid(),
    code: codeName,
    percent_off: z.number().gt(0).max(100).multipleOf(0.01).nullable(),
    amount_off_pence: z.number().int().min(1).max(10_000_000).nullable(),
    duration: z.enum(["once", "repeating", "forever"]),
    months: z.number().int().min(1).max(36).nullable(),
    expires_at: expiry,
    max_redemptions: z.number().int().min(1).max(1_000_000).nullable(),
    plan_id: z.string().max(100).nullable(),
    new_members_only: z.boolean().default(false),
    reason,
  }),
  z.object({
    action: z.literal("create_trial"),
    code: codeName,
    days: z.number().int().min(1).max(365),
    expires_at: expiry,
    max_redemptions: z.number().int().min(1).max(1_000_000).nullable(),
    plan_id: z.string().max(100).nullable(),
    reason,
  }),
  z.object({
    action: z.literal("deactivate"),
    promotion_code_id: z.string().regex(/^promo_\w{1,250}$/),
    reason,
  }),
]);

const options = { name: "admin-coupons", failureMessage: "The payment provider did not answer." };

/** Lists, makes and turns off coupons and their codes, for an administrator with a second factor. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const service = serviceClient(deps);
    const admin = await requireVerifiedAdmin(request, service, deps);
    const body = await parseBody(request, couponsBody);
    const billing = {
      stripe: stripeClient(deps),
      database: new BillingDatabase(service),
      isLiveMode: isLiveMode(deps),
    };
    if (body.action === "list") {
      return jsonResponse(200, { coupons: await listCoupons(billing) });
    }
    if (body.action === "deactivate") {
      await deactivateCoupon(billing, admin, body.promotion_code_id, body.reason);
      return jsonResponse(200, { done: true });
    }
    if (body.action === "create_trial") {
      if (await hasActivePromotionCode(billing, body.code)) throw codeTaken();
      const { data, error } = await service.rpc("billing_create_trial_code", {
        admin: admin.account.id,
        code: body.code,
        days: body.days,
        plan: body.plan_id,
        expires_at:
          body.expires_at === null ? null : new Date(body.expires_at * 1000).toISOString(),
        max_redemptions: body.max_redemptions,
        reason: body.reason,
      });
      if (error !== null) throw toFunctionError(error);
      return jsonResponse(200, { code: data });
    }
    if (
      (body.percent_off === null) === (body.amount_off_pence === null) ||
      (body.duration === "repeating") !== (body.months !== null) ||
      (body.expires_at !== null && body.expires_at * 1000 <= Date.now())
    ) {
      const message =
        "Give a percentage or an amount, months only for a repeating discount, and an end in the future.";
      throw new FunctionError(400, "invalid_coupon", message);
    }
    const { code } = body;
    const trial = { member: admin.account.id, given: code, price: "", redeem: false };
    if ((await callRpc(service, "billing_trial_code", trial)) !== null) throw codeTaken();
    const coupon = await createCoupon(billing, admin, {
      id: body.request_id,
      code,
      percentOff: body.percent_off,
      amountOff: body.amount_off_pence,
      duration: body.duration,
      months: body.months,
      expiresAt: body.expires_at,
      maxRedemptions: body.max_redemptions,
      plan: body.plan_id,
      newMembersOnly: body.new_members_only,
      reason: body.reason,
    });
    return jsonResponse(200, { coupon: { ...coupon } });
  });
}
