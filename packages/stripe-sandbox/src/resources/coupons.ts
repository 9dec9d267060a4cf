import type Stripe from "stripe";
import * as z from "zod";
import { invalidRequest } from "../api-errors.ts";
import { listPage } from "../http/lists.ts";
import {
  integer,
  listParams,
  mergeMetadata,
  metadata,
  nonEmptyString,
  noParams,
} from "../http/params.ts";
import { route, type Route } from "../http/route.ts";
import { randomText } from "../ids.ts";
import { newCoupon } from "../objects/discount-objects.ts";
import type { SandboxState } from "../sandbox-state.ts";

const percent = z
  .string()
  .regex(/^\d{1,3}(\.\d{1,2})?$/)
  .transform(Number)
  .refine((value) => value > 0 && value <= 100);

const couponParams = z.strictObject({
  id: nonEmptyString.optional(),
  name: nonEmptyString.optional(),
  percent_off: percent.optional(),
  amount_off: integer.optional(),
  currency: nonEmptyString.optional(),
  duration: z.enum(["forever", "once", "repeating"]).optional(),
  duration_in_months: integer.optional(),
  metadata: metadata.optional(),
});

/** Coupons or existing discounts on a subscription or a phase of its schedule. */
export const discountParams = z.array(
  z.strictObject({ coupon: nonEmptyString.optional(), discount: nonEmptyString.optional() }),
);

function create(state: SandboxState, given: z.infer<typeof couponParams>): Stripe.Coupon {
  const { duration = "once", duration_in_months: months = null } = given;
  if ((given.percent_off === undefined) === (given.amount_off === undefined)) {
    throw invalidRequest("You must pass exactly one of percent_off or amount_off.", "percent_off");
  }
  if (given.amount_off !== undefined && (given.amount_off <= 0 || given.currency === undefined)) {
    throw invalidRequest("A positive amount_off and its currency are required.", "amount_off");
  }
  if ((duration === "repeating") !== (months !== null && months > 0)) {
    throw invalidRequest(
      "A repeating coupon, and no other, has a positive duration_in_months.",
      "duration_in_months",
    );
  }
  const id = given.id ?? randomText(8);
  if (state.find("coupons", id)) {
    throw invalidRequest("Coupon already exists.", "id", "resource_already_exists");
  }
  const coupon = newCoupon(
    {
      id,
      name: given.name ?? null,
      percentOff: given.percent_off ?? null,
      amountOff: given.amount_off ?? null,
      currency: given.currency?.toLowerCase() ?? null,
      duration,
      durationInMonths: months,
      metadata: mergeMetadata({}, given.metadata),
    },
    state.now(),
  );
  state.put("coupons", coupon);
  state.emit("coupon.created", coupon);
  return coupon;
}

export const couponRoutes: Route[] = [
  route("POST", "coupons", couponParams, ({ state, params }) => create(state, params)),
  route("GET", "coupons", z.strictObject(listParams), ({ state, params, url }) =>
    listPage(state.rows("coupons"), params, url, "coupons"),
  ),
  route("GET", "coupons/:id", noParams, ({ state, id }) => state.get("coupons", id)),
];
