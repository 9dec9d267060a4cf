import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import { callFunction, textOf } from "@/lib/call-function.ts";
import { problemOf, type ActionProblem } from "./actions.ts";

const coupons = z.array(
  z.object({
    id: z.string(),
    code: z.string(),
    is_active: z.boolean(),
    percent_off: z.nullable(z.number()),
    amount_off_pence: z.nullable(z.number()),
    duration: z.string(),
    months: z.nullable(z.number()),
    expires_at: z.nullable(z.number()),
    max_redemptions: z.nullable(z.number()),
    redemptions: z.number(),
    plan_id: z.nullable(z.string()),
    new_members_only: z.boolean(),
    created_at: z.number(),
  }),
);
const trials = z.array(
  z.object({
    code: z.string(),
    days: z.number(),
    plan_id: z.nullable(z.string()),
    max_redemptions: z.nullable(z.number()),
    redemptions: z.number(),
    expires_at: z.nullable(z.string()),
    is_active: z.boolean(),
    created_at: z.string(),
  }),
);

/** A code that members enter at the checkout. Amounts in minor units, times in epoch milliseconds. */
export interface Code {
  /** The promotion code at the provider; null for a trial code. */
  readonly promotionCode: string | null;
  readonly code: string;
  readonly isActive: boolean;
  readonly percentOff: number | null;
  readonly amountOffPence: number | null;
  readonly trialDays: number | null;
  readonly duration: string;
  readonly months: number | null;
  readonly expiresAt: number | null;
  readonly maxRedemptions: number | null;
  readonly redemptions: number;
  readonly planId: string | null;
  /** Only for members without an earlier payment. */
  readonly newMembersOnly: boolean;
  readonly createdAt: number;
}

/** Discounts and trials, newest first. Throws when either cannot be read. */
export async function fetchCodes(client: BackendClient): Promise<readonly Code[]> {
  const [{ status, body }, trial] = await Promise.all([
    callFunction(client, "admin-coupons", { action: "list" }),
    client.rpc("admin_trial_codes"),
  ]);
  if (trial.error) throw trial.error;
  if (status !== 200) throw new Error(textOf(body, "error"));
  const discounts = coupons.parse(body["coupons"]).map((row): Code => ({
    promotionCode: row.id,
    code: row.code,
    isActive: row.is_active,
    percentOff: row.percent_off,
    amountOffPence: row.amount_off_pence,
    trialDays: null,
    duration: row.duration,
    months: row.months,
    expiresAt: row.expires_at === null ? null : row.expires_at * 1000,
    maxRedemptions: row.max_redemptions,
    redemptions: row.redemptions,
    planId: row.plan_id,
    newMembersOnly: row.new_members_only,
    createdAt: row.created_at * 1000,
  }));
  const days = trials.parse(trial.data).map((row): Code => ({
    promotionCode: null,
    code: row.code,
    isActive: row.is_active,
    percentOff: null,
    amountOffPence: null,
    trialDays: row.days,
    duration: "trial",
    months: null,
    expiresAt: row.expires_at === null ? null : Date.parse(row.expires_at),
    maxRedemptions: row.max_redemptions,
    redemptions: row.redemptions,
    planId: row.plan_id,
    newMembersOnly: true,
    createdAt: Date.parse(row.created_at),
  }));
  return [...discounts, ...days].toSorted((a, b) => b.createdAt - a.createdAt);
}

/** A code to make. */
export interface NewCode {
  readonly code: string;
  readonly kind: "percent" | "amount" | "trial";
  /** Per cent, pence or days, by kind. */
  readonly value: number;
  readonly duration: "once" | "repeating" | "forever";
  readonly months: number | null;
  /** Epoch milliseconds. */
  readonly expiresAt: number | null;
  readonly maxRedemptions: number | null;
  readonly planId: string | null;
  /** A trial always is. */
  readonly newMembersOnly: boolean;
  readonly reason: string;
}

const toSeconds = (time: number | null) => (time === null ? null : Math.floor(time / 1000));

/** Makes a code. The request id makes a repeated call the same code. Returns the problem, or null when it was made. */
export async function createCode(
  client: BackendClient,
  requestId: string,
  given: NewCode,
): Promise<string | null> {
  if (given.kind === "trial") {
    const { status, body } = await callFunction(client, "admin-coupons", {
      action: "create_trial",
      code: given.code,
      days: given.value,
      expires_at: toSeconds(given.expiresAt),
      max_redemptions: given.maxRedemptions,
      plan_id: given.planId,
      reason: given.reason,
    });
    return status === 200 ? null : textOf(body, "error");
  }
  const answer = await callFunction(client, "admin-coupons", {
    action: "create",
    request_id: requestId,
    code: given.code,
    percent_off: given.kind === "percent" ? given.value : null,
    amount_off_pence: given.kind === "amount" ? given.value : null,
    duration: given.duration,
    months: given.duration === "repeating" ? given.months : null,
    expires_at: toSeconds(given.expiresAt),
    max_redemptions: given.maxRedemptions,
    plan_id: given.planId,
    new_members_only: given.newMembersOnly,
    reason: given.reason,
  });
  return answer.status === 200 ? null : textOf(answer.body, "error");
}

/** Turns a code off. Returns the problem, or null when it is off. */
export async function deactivateCode(
  client: BackendClient,
  { code, promotionCode }: Code,
  reason: string,
): Promise<ActionProblem | null> {
  if (promotionCode === null) {
    const { error } = await client.rpc("admin_deactivate_trial_code", { code, reason });
    return error === null ? null : problemOf(error);
  }
  const { status, body } = await callFunction(client, "admin-coupons", {
    action: "deactivate",
    promotion_code_id: promotionCode,
    reason,
  });
  return status === 200 ? null : { code: "", message: textOf(body, "error") };
}
