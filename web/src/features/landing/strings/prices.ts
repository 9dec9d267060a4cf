import { formatPence } from "@/domain/brand.ts";
import { guaranteeTerms } from "@/domain/guarantee-terms.ts";
import type { SoldPlan } from "../model/sold-plan.ts";
import { tiers, type Tier } from "../strings.ts";

/** The catalogue as the product comes with it, for which the page's fixed figures were written. */
export const firstPlans: readonly SoldPlan[] = [
  {
    role: "student",
    name: "Student Access",
    currency: "GBP",
    monthlyPence: 5000,
    yearlyPence: null,
  },
  {
    role: "mentor",
    name: "Mentor Access",
    currency: "GBP",
    monthlyPence: 10_000,
    yearlyPence: null,
  },
];

/** Whether a plan is still sold at the monthly price it began with. */
function isFirstPrice(plan: SoldPlan): boolean {
  const first = firstPlans.find(({ role }) => role === plan.role);
  return first?.monthlyPence === plan.monthlyPence && first.currency === plan.currency;
}

const monthly = ({ monthlyPence, currency }: SoldPlan) => formatPence(monthlyPence, currency);
const isSoldByYear = (plans: readonly SoldPlan[]) =>
  plans.some(({ yearlyPence }) => yearlyPence !== null);

/** `From £50 a month`; empty while nothing is on sale. */
export function fromPrice([cheapest]: readonly SoldPlan[]): string {
  return cheapest === undefined ? "" : `From ${monthly(cheapest)} a month`;
}

/** Under the heading of the plans. */
export function tiersIntro(plans: readonly SoldPlan[]): string {
  if (isSoldByYear(plans)) {
    return "Pay by the month or by the year, and cancel in two clicks.";
  }
  return plans.length === 2
    ? "Both are monthly, and both can be cancelled in two clicks."
    : "Pay by the month, and cancel in two clicks.";
}

/** What stands at the head of a plan. */
export interface TierPrice {
  /** What is charged a month. */
  readonly charged: string;
  readonly price: string;
  /** Crossed out; null where the owner sets the price. */
  readonly before: string | null;
  /** `Or £500 a year.`; null where the plan is not sold by the year. */
  readonly yearly: string | null;
}

export function tierPrice(tier: Tier, plan: SoldPlan): TierPrice {
  const charged = monthly(plan);
  const year = plan.yearlyPence === null ? null : formatPence(plan.yearlyPence, plan.currency);
  return {
    charged,
    ...(isFirstPrice(plan)
      ? { price: tier.price, before: tier.before }
      : { price: charged, before: null }),
    yearly: year === null ? null : `Or ${year} a year.`,
  };
}

const listed = (parts: readonly string[]) => parts.join(" or ");

/** The answer to “What does it cost?”. */
export function costAnswer(plans: readonly SoldPlan[]): string {
  const currency = plans.every((plan) => plan.currency === "GBP") ? ", in pounds sterling" : "";
  const months = listed(plans.map((plan) => `${monthly(plan)} a month for ${plan.name}`));
  const years = listed(
    plans.flatMap(({ yearlyPence, name, currency: unit }) =>
      yearlyPence === null ? [] : [`${formatPence(yearlyPence, unit)} a year for ${name}`],
    ),
  );
  const shown = tiers.filter(({ plan: role }) =>
    plans.some((plan) => plan.role === role && isFirstPrice(plan)),
  );
  const figures = shown.map(({ price }) => price).join(" and ");
  return [
    `You are charged ${months}${currency}, from the day you join.`,
    ...(years === "" ? [] : [`If you pay by the year, it is ${years}.`]),
    // Only of plans whose own figure is shown beside what is charged.
    ...(shown.length === plans.length && shown.length > 0
      ? [`That is less than the ${figures} shown with the plans.`]
      : []),
    "You see the amount again next to the button before you pay, and on every receipt; creating an account costs nothing.",
  ].join(" ");
}

/** The answer to “How do I cancel?”. */
export function cancelAnswer(plans: readonly SoldPlan[]): string {
  const end = isSoldByYear(plans) ? "month or year" : "month";
  return `On the membership page, in two clicks. You keep access until the end of the ${end} you paid for, and you can change your mind until then.`;
}

/** The first sentence of the terms in the small print. */
export function lengthOfMembership(plans: readonly SoldPlan[]): string {
  return isSoldByYear(plans)
    ? "Month to month or year to year, until you cancel."
    : "Month to month, until you cancel.";
}

/** A worked example of the guarantee, with the cheapest plan. Pence a month. */
const example = { base: 180_000, end: 600_000 } as const;

export function guaranteeExample([cheapest = firstPlans[0]]: readonly SoldPlan[]): {
  readonly lines: readonly { readonly label: string; readonly value: string }[];
  readonly result: string;
} {
  const aim = formatPence(example.base * guaranteeTerms.incomeMultiple);
  const { monthlyPence = 0, currency } = cheapest ?? {};
  const paid = formatPence(6 * monthlyPence, currency);
  return {
    lines: [
      { label: "You start at", value: `${formatPence(example.base)} a month` },
      { label: "Ten times that", value: `${aim} a month` },
      { label: "After six months you earn", value: `${formatPence(example.end)} a month` },
      { label: "You paid", value: `${paid}, six months at ${formatPence(monthlyPence, currency)}` },
    ],
    result: `${formatPence(example.end)} is less than ${aim}: you get ${paid} back, and your membership carries on without charge.`,
  };
}
