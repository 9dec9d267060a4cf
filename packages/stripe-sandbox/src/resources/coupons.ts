import type Stripe from "stripe";
import * as z from "zod";
import { invalidRequest } from "../api-errors.ts";
import { listPage } from "../http/lists.ts";
import {
  flag,
  integer,
  listParams,
  mergeMetadata,
  metadata,
  noParams,
  nonEmptyString,
} from "../http/params.ts";
import { route, type Route } from "../http/route.ts";
import { newCoupon, newPromotionCode } from "../objects/discount-objects.ts";
import { randomText } from "../ids.ts";
import type { SandboxState } from "../sandbox-state.ts";

const percent = z
  .string()
  .regex(/^\d{1,3}(\.\d{1,2})?$/)
  .transform(Number)
  .refine((value) => value > 0 && value <= 100);

const couponParams = z.strictObject({
  id: nonEmptyString.optional(),
  name: z.string().max(40).optional(),
  percent_off: percent.optional(),
  amount_off: integer.optional(),
  currency: nonEmptyString.optional(),
  duration: z.enum(["forever", "once", "repeating"]).optional(),
  duration_in_months: integer.optional(),
  max_redemptions: integer.optional(),
  redeem_by: integer.optional(),
  applies_to: z.strictObject({ products: z.array(nonEmptyString).optional() }).optional(),
  metadata: metadata.optional(),
});

const promotionCodeParams = z.strictObject({
  promotion: z.strictObject({ type: z.enum(["coupon"]), coupon: nonEmptyString }),
  code: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,500}$/)
    .optional(),
  active: flag.optional(),
  expires_at: integer.optional(),
  max_redemptions: integer.optional(),
  restrictions: z.strictObject({ first_time_transaction: flag.optional() }).optional(),
  metadata: metadata.optional(),
});

/** Coupons, promotion codes or existing discounts on a subscription or a phase of its schedule. */
export const discountParams = z.array(
  z.strictObject({
    coupon: nonEmptyString.optional(),
    discount: nonEmptyString.optional(),
    promotion_code: nonEmptyString.optional(),
  }),
);

function createCoupon(state: SandboxState, given: z.infer<typeof couponParams>): Stripe.Coupon {
  if ((given.percent_off === undefined) === (given.amount_off === undefined)) {
    throw invalidRequest("You must pass exactly one of percent_off or amount_off.", "percent_off");
  }
  if (given.amount_off !== undefined && (given.currency === undefined || given.amount_off < 1)) {
    throw invalidRequest("You must pass currency when passing amount_off", "currency");
  }
  const duration = given.duration ?? "once";
  if ((duration === "repeating") !== (given.duration_in_months !== undefined)) {
    throw invalidRequest(
      "duration_in_months must be set exactly when duration is repeating",
      "duration_in_months",
    );
  }
  if (given.duration_in_months !== undefined && given.duration_in_months < 1) {
    throw invalidRequest("duration_in_months must be at least 1", "duration_in_months");
  }
  if (given.id !== undefined && state.find("coupons", given.id)) {
    throw invalidRequest("Coupon already exists.", "id", "resource_already_exists");
  }
  const coupon = newCoupon(
    {
      id: given.id ?? randomText(8),
      name: given.name ?? null,
      percentOff: given.percent_off ?? null,
      amountOff: given.amount_off ?? null,
      currency: given.currency?.toLowerCase() ?? null,
      duration,
      durationInMonths: given.duration_in_months ?? null,
      maxRedemptions: given.max_redemptions ?? null,
      redeemBy: given.redeem_by ?? null,
      products: given.applies_to?.products ?? null,
      metadata: mergeMetadata({}, given.metadata),
    },
    state.now(),
  );
  state.put("coupons", coupon);
  state.emit("coupon.created", coupon);
  return coupon;
}

function createPromotionCode(
  state: SandboxState,
  given: z.infer<typeof promotionCodeParams>,
): Stripe.PromotionCode {
  const coupon = state.get("coupons", given.promotion.coupon, "promotion[coupon]");
  const isTaken = state
    .rows("promotionCodes")
    .some((row) => row.active && row.code.toLowerCase() === given.code?.toLowerCase());
  if (isTaken) {
    throw invalidRequest(
      "An active promotion code with `code: " + String(given.code) + "` already exists.",
      "code",
    );
  }
  const code = newPromotionCode(
    {
      code: given.code,
      coupon: coupon.id,
      active: given.active ?? true,
      maxRedemptions: given.max_redemptions ?? null,
      expiresAt: given.expires_at ?? null,
      firstTimeTransaction: given.restrictions?.first_time_transaction ?? false,
      metadata: mergeMetadata({}, given.metadata),
    },
    state.now(),
  );
  state.put("promotionCodes", code);
  state.emit("promotion_code.created", code);
  return code;
}

/** Who has redeemed it keeps the discount; nobody redeems it or its codes from now on. */
function deleteCoupon(state: SandboxState, id: string): Stripe.DeletedCoupon {
  const coupon = state.get("coupons", id);
  state.tables.coupons.delete(id);
  state.tables.deletedCoupons.set(id, coupon);
  for (const code of state.rows("promotionCodes")) {
    if (code.promotion.coupon === id && code.active) {
      state.update("promotionCodes", code.id, { active: false }, "promotion_code.updated");
    }
  }
  state.emit("coupon.deleted", coupon);
  return { id, object: "coupon", deleted: true };
}

/** A code counts as active only until it expires. */
function asRead(state: SandboxState, code: Stripe.PromotionCode): Stripe.PromotionCode {
  const hasExpired = code.expires_at !== null && code.expires_at <= state.now();
  return hasExpired ? { ...code, active: false } : code;
}

/** Coupons and the codes that customers enter for them. */
export const couponRoutes: Route[] = [
  route("POST", "coupons", couponParams, ({ state, params }) => createCoupon(state, params)),
  route("GET", "coupons", z.strictObject(listParams), ({ state, params, url }) =>
    listPage(state.rows("coupons"), params, url, "coupons"),
  ),
  route("GET", "coupons/:id", noParams, ({ state, id }) => state.get("coupons", id)),
  route(
    "POST",
    "coupons/:id",
    z.strictObject({ name: z.string().max(40).optional(), metadata: metadata.optional() }),
    ({ state, id, params: { name, metadata: given } }) => {
      const merged = mergeMetadata(state.get("coupons", id).metadata ?? {}, given);
      const changes = { metadata: merged, ...(name !== undefined && { name }) };
      return state.update("coupons", id, changes, "coupon.updated");
    },
  ),
  route("DELETE", "coupons/:id", noParams, ({ state, id }) => deleteCoupon(state, id)),
  route("POST", "promotion_codes", promotionCodeParams, ({ state, params }) =>
    createPromotionCode(state, params),
  ),
  route(
    "GET",
    "promotion_codes",
    z.strictObject({
      ...listParams,
      active: flag.optional(),
      code: nonEmptyString.optional(),
      coupon: nonEmptyString.optional(),
    }),
    ({ state, params, url }) => {
      const rows = state
        .rows("promotionCodes")
        .map((row) => asRead(state, row))
        .filter(
          (row) =>
            row.active === (params.active ?? row.active) &&
            row.promotion.coupon === (params.coupon ?? row.promotion.coupon) &&
            row.code.toLowerCase() === (params.code ?? row.code).toLowerCase(),
        );
      return listPage(rows, params, url, "promotionCodes");
    },
  ),
  route("GET", "promotion_codes/:id", noParams, ({ state, id }) =>
    asRead(state, state.get("promotionCodes", id)),
  ),
  route(
    "POST",
    "promotion_codes/:id",
    z.strictObject({ active: flag.optional(), metadata: metadata.optional() }),
    ({ state, id, params }) => {
      const existing = state.get("promotionCodes", id);
      const changes = {
        ...(params.active !== undefined && { active: params.active }),
        metadata: mergeMetadata(existing.metadata ?? {}, params.metadata),
      };
      return state.update("promotionCodes", id, changes, "promotion_code.updated");
    },
  ),
];
