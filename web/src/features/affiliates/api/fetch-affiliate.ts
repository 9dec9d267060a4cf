import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import { knownItems } from "@/domain/known-items.ts";
import type { Affiliate, Commission, CoursesOnSale } from "../model/affiliate.ts";

const affiliateAnswer = z.object({
  code: z.string(),
  is_open: z.boolean(),
  terms: z.object({
    rate_basis_points: z.number(),
    commission_months: z.number(),
    attribution_days: z.number(),
    pending_days: z.number(),
    least_payout_pence: z.number(),
  }),
  visits: z.number(),
  sign_ups: z.number(),
  members: z.number(),
  pending_pence: z.number(),
  payable_pence: z.number(),
  paid_pence: z.number(),
  months: z.array(
    z.object({
      month: z.string(),
      earned_pence: z.number(),
      taken_back_pence: z.number(),
      paid_pence: z.number(),
    }),
  ),
  payouts: z.array(
    z.object({
      id: z.number(),
      amount_pence: z.number(),
      reference: z.string(),
      paid_at: z.string(),
    }),
  ),
});
const commissionRows = knownItems(
  z.object({
    charge_id: z.string(),
    invoice_number: z.nullable(z.string()),
    paid_at: z.string(),
    payable_at: z.string(),
    state: z.enum(["pending", "payable", "taken_back"]),
    amount_pence: z.number(),
    kind: z.enum(["membership", "course_sale", "course_referral"]),
    course_title: z.nullable(z.string()),
  }),
);
const coursesAnswer = z.object({
  referral_basis_points: z.number(),
  courses: z.array(z.object({ slug: z.string(), title: z.string(), price_pence: z.number() })),
});

/** Rows of one page of commissions. */
export const commissionPageSize = 50;

/** Reads the caller's link and its figures; makes the link on the first call. Throws the database's error. */
export async function fetchAffiliate(client: BackendClient): Promise<Affiliate> {
  const [{ data, error }, plans] = await Promise.all([
    client.rpc("my_affiliate"),
    client.from("plans").select("role, amount_pence").eq("is_active", true),
  ]);
  if (error) throw error;
  if (plans.error) throw plans.error;
  const { terms, months, payouts, ...found } = affiliateAnswer.parse(data);
  const priceOf = (role: string) =>
    plans.data.find((plan) => plan.role === role)?.amount_pence ?? null;
  return {
    monthlyPrices: { student: priceOf("student"), mentor: priceOf("mentor") },
    code: found.code,
    isOpen: found.is_open,
    terms: {
      rateBasisPoints: terms.rate_basis_points,
      commissionMonths: terms.commission_months,
      attributionDays: terms.attribution_days,
      pendingDays: terms.pending_days,
      leastPayoutPence: terms.least_payout_pence,
    },
    visits: found.visits,
    signUps: found.sign_ups,
    members: found.members,
    pendingPence: found.pending_pence,
    payablePence: found.payable_pence,
    paidPence: found.paid_pence,
    months: months.map((month) => ({
      month: month.month,
      earnedPence: month.earned_pence,
      takenBackPence: month.taken_back_pence,
      paidPence: month.paid_pence,
    })),
    payouts: payouts.map((payout) => ({
      id: payout.id,
      amountPence: payout.amount_pence,
      reference: payout.reference,
      paidAt: Date.parse(payout.paid_at),
    })),
  };
}

/** Reads one page of the payments that earned, newest first, after `last`. Throws the database's error. */
export async function fetchCommissions(
  client: BackendClient,
  last: Commission | null,
): Promise<Commission[]> {
  const { data, error } = await client.rpc(
    "my_commissions",
    last === null
      ? {}
      : { before_time: new Date(last.paidAt).toISOString(), before_charge: last.chargeId },
  );
  if (error) throw error;
  return commissionRows.parse(data).map((row) => ({
    chargeId: row.charge_id,
    invoiceNumber: row.invoice_number,
    paidAt: Date.parse(row.paid_at),
    payableAt: Date.parse(row.payable_at),
    state: row.state,
    amountPence: row.amount_pence,
    kind: row.kind,
    courseTitle: row.course_title,
  }));
}

/** Reads the courses that the member's link can bring buyers to. Throws the database's error. */
export async function fetchCoursesOnSale(client: BackendClient): Promise<CoursesOnSale> {
  const { data, error } = await client.rpc("courses_on_sale");
  if (error) throw error;
  const { referral_basis_points: rateBasisPoints, courses } = coursesAnswer.parse(data);
  return {
    rateBasisPoints,
    courses: courses.map(({ slug, title, price_pence: pricePence }) => ({
      slug,
      title,
      pricePence,
    })),
  };
}
