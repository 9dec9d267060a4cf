import * as z from "zod";
import {
  clearableText,
  flag,
  listParams,
  metadata,
  nonEmptyString,
  integer,
} from "../http/params.ts";
import { discountParams } from "./coupons.ts";

const paymentSettings = z.strictObject({
  save_default_payment_method: z.enum(["off", "on_subscription"]).optional(),
  payment_method_types: z.array(z.enum(["card"])).optional(),
});
const cancellation = z.strictObject({
  comment: clearableText.optional(),
  feedback: clearableText.optional(),
});
const trialSettings = z.strictObject({
  end_behavior: z.strictObject({
    missing_payment_method: z.enum(["cancel", "create_invoice", "pause"]),
  }),
});
const pause = z.strictObject({
  behavior: z.enum(["keep_as_draft", "mark_uncollectible", "void"]),
  resumes_at: integer.optional(),
});
export const automaticTax = z.strictObject({ enabled: flag });
export const proration = z.enum(["always_invoice", "create_prorations", "none"]);

/** Parameters for creating a subscription. */
export const createParams = z.strictObject({
  customer: nonEmptyString,
  items: z
    .array(
      z.strictObject({
        price: nonEmptyString,
        quantity: integer.optional(),
        metadata: metadata.optional(),
      }),
    )
    .min(1)
    .max(20),
  payment_behavior: z
    .enum(["allow_incomplete", "default_incomplete", "error_if_incomplete"])
    .optional(),
  payment_settings: paymentSettings.optional(),
  default_payment_method: nonEmptyString.optional(),
  collection_method: z.enum(["charge_automatically"]).optional(),
  cancel_at_period_end: flag.optional(),
  off_session: flag.optional(),
  description: nonEmptyString.optional(),
  metadata: metadata.optional(),
  currency: nonEmptyString.optional(),
  discounts: discountParams.optional(),
  automatic_tax: automaticTax.optional(),
  default_tax_rates: z.array(nonEmptyString).optional(),
  trial_period_days: integer.optional(),
  trial_end: z.union([z.literal("now"), integer]).optional(),
  trial_settings: trialSettings.optional(),
  proration_behavior: proration.optional(),
});

/** Parameters for updating a subscription; one item at a time. */
export const updateParams = z.strictObject({
  items: z
    .array(
      z.strictObject({
        id: nonEmptyString.optional(),
        price: nonEmptyString.optional(),
        quantity: integer.optional(),
      }),
    )
    .length(1)
    .optional(),
  cancel_at_period_end: flag.optional(),
  cancel_at: z.union([z.literal(""), integer]).optional(),
  cancellation_details: cancellation.optional(),
  default_payment_method: clearableText.optional(),
  description: clearableText.optional(),
  discounts: z.union([z.literal(""), discountParams]).optional(),
  automatic_tax: automaticTax.optional(),
  /** Without it as with `unchanged`: only another rhythm moves the anchor. */
  billing_cycle_anchor: z.strictObject({ type: z.enum(["now", "unchanged"]) }).optional(),
  default_tax_rates: z.union([z.literal(""), z.array(nonEmptyString)]).optional(),
  metadata: metadata.optional(),
  off_session: flag.optional(),
  pause_collection: z.union([z.literal(""), pause]).optional(),
  payment_behavior: z
    .enum(["allow_incomplete", "default_incomplete", "pending_if_incomplete"])
    .optional(),
  payment_settings: paymentSettings.optional(),
  proration_behavior: proration.optional(),
  proration_date: integer.optional(),
  trial_settings: trialSettings.optional(),
});

/** Parameters for resuming a paused subscription, whose new period begins at once. */
export const resumeParams = z.strictObject({
  billing_cycle_anchor: z.strictObject({ type: z.enum(["now"]) }).optional(),
  payment_behavior: z.enum(["resume_on_payment_attempt"]).optional(),
  proration_behavior: proration.optional(),
});

export const cancelParams = z.strictObject({
  cancellation_details: cancellation.optional(),
  invoice_now: flag.optional(),
  prorate: flag.optional(),
});

const statusFilters = [
  "active",
  "all",
  "canceled",
  "ended",
  "incomplete",
  "incomplete_expired",
  "past_due",
  "paused",
  "trialing",
  "unpaid",
] as const;

export const listFilter = z.strictObject({
  ...listParams,
  customer: nonEmptyString.optional(),
  price: nonEmptyString.optional(),
  status: z.enum(statusFilters).optional(),
  collection_method: z.enum(["charge_automatically"]).optional(),
  test_clock: nonEmptyString.optional(),
});
