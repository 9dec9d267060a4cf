import { planLines } from "@/domain/plan-lines.ts";
import type { Plan, PlanPitch } from "../model/plan.ts";

/** What each kind of plan gives. */
export const planPitches: Readonly<Record<Plan["role"], PlanPitch>> = {
  student: {
    summary: "For learning with other members through four levels.",
    lead: "Everything members get:",
    points: planLines.student,
  },
  mentor: {
    summary: "For members who also want to teach.",
    lead: "Everything in Student Access, plus:",
    points: planLines.mentor,
  },
};

/** Opens the list of a plan that is not chosen. */
export const planListStrings = {
  included: "What's included",
  includedIn: (plan: string) => ` in ${plan}`,
} as const;

/** `month` → `per month`. */
export function formatInterval(interval: string): string {
  return `per ${interval}`;
}

/** Paying by the month or by the year. */
export const intervalStrings = {
  legend: "How often you pay",
  month: "Monthly",
  year: "Yearly",
  saving: (amount: string) => `Save ${amount} a year`,
} as const;

/** A plan's name, with how often it is paid where there is more than one way. */
export function planLabel(plan: Plan, plans: readonly Plan[]): string {
  const hasOthers = plans.some(({ interval }) => interval !== plan.interval);
  return hasOthers
    ? `${plan.name} (${plan.interval === "year" ? "yearly" : "monthly"})`
    : plan.name;
}

/** Comparing the plans, and switching from one to another. */
export const planSwitchStrings = {
  view: "View plans",
  title: "Plans",
  intro: "You see the exact amounts before anything changes.",
  afterTrial: "You can switch plans once your trial has ended.",
  notNow: "To switch plans, keep your subscription and undo any planned switch first.",
  current: "Your plan",
  switchTo: (plan: string) => `Switch to ${plan}`,
  loading: "Working out the price",
  nextCharge: (price: string) => `we charge ${price}`,
  nextChargeReduced: (amount: string, price: string) =>
    `we charge ${amount}; without discounts or credit it's ${price}`,
  downgrade: (current: string, day: string, to: string, nextCharge: string) =>
    `You keep ${current} until ${day} and pay nothing now. On that day ${to} begins, and ${nextCharge}. You can undo this until then.`,
  upgrade: (to: string, day: string, nextCharge: string) =>
    `${to} begins at once. From ${day} ${nextCharge}.`,
  creditUsed: "Credit used",
  carriedOver: "Carried over from before",
  dueNow: "Due now",
  payAndSwitch: (amount: string) => `Pay ${amount} and Switch`,
  switchOn: (day: string) => `Switch on ${day}`,
  stayOn: (plan: string) => `Stay on ${plan}`,
  checkAgain: "Check Again",
  confirmingTitle: (plan: string) => `We're confirming your switch to ${plan}…`,
  confirming: "This usually takes a few seconds.",
  unconfirmedTitle: (plan: string) => `Your switch to ${plan} isn't confirmed yet`,
  unconfirmed: "Press Refresh status in a few minutes. You won't be charged twice.",
  done: (plan: string) => `You're on ${plan} now.`,
  plannedTitle: (plan: string, day: string) => `You switch to ${plan} on ${day}`,
  planned: (current: string) => `Until then, you keep everything in ${current}.`,
  unpaidTitle: (plan: string) => `Your switch to ${plan} is not paid yet`,
  unpaid:
    "Your bank hasn't approved the payment yet. If you've just approved it, press Refresh status. Otherwise undo the switch and start it again.",
  undo: "Undo the Switch",
  // In the place of a plan's name.
  unknownCurrent: "your current plan",
  unknownTarget: "another plan",
} as const;
