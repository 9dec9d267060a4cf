import { brand } from "@/domain/brand.ts";
import { guaranteeTerms, guaranteeWorkSentence } from "@/domain/guarantee-terms.ts";
import { pluralise } from "@/lib/format-count.ts";
import type { PlanInterval } from "../model/plan.ts";
import type { CardPaymentResult } from "../model/payment-result.ts";

export const paywallStrings = {
  title: "Choose Your Plan",
  intro: "Two plans, one community. Pay monthly and cancel at any time.",
  introYearly: "Two plans, one community. Pay monthly or yearly and cancel at any time.",
  back: "Back",
  /** Who has an account gets to the choice behind Back only without it. */
  signOutAndBack: "Sign out and go back",
  signedInAs: (email: string) => `Signed in as ${email}`,
  yourCourses: "Your courses",
  gifts: "Gifts and gift codes",
  signIn: "Sign In",
  loading: "Checking your subscription",
  plansFailed: "We couldn't load the plans",
  subscriptionFailed: "We couldn't check your subscription",
  reassurance: "Loading this page charges nothing.",
  noPlans: "No plans are on sale right now. Please come back later.",
} as const;

/** What became of an earlier membership, and the way to it. */
export const standingStrings = {
  failed: "Your last payment failed",
  updateCard: "Update your card",
  unpaidInvoice: "See the unpaid invoice",
  membership: "Your membership and invoices",
  orNewPlan:
    "Or choose a plan below: it replaces this membership, and the unpaid invoice is cancelled.",
} as const;

/** The guarantee, where a plan is chosen. */
export const paywallGuaranteeStrings = {
  title: "What the guarantee asks of you",
  start: `In your first ${guaranteeTerms.baselineDays} days, write down what you earn a month.`,
  work: `Over the ${guaranteeTerms.months} months: ${guaranteeWorkSentence}.`,
  terms: "Read the guarantee's terms",
} as const;

export const checkoutStrings = {
  plan: "Plan",
  dueToday: (plan: string) => `${plan}, due today`,
  pay: (amount: string) => `PAY ${amount}`,
  guarantee: `${guaranteeTerms.incomeMultiple}x your income within ${guaranteeTerms.months} months, or your money back and you continue for free.`,
  trust:
    "Your card details go straight to the company that takes the payment and never reach our servers.",
  nextTitle: "What happens next",
  nextApproval: "Your bank may ask you to approve the payment.",
  nextActivation: "We activate your membership, which usually takes a few seconds.",
  nextProfile:
    "You set up your profile in nine short steps. You can stop and come back at any time.",
  sameCharge: (interval: string) =>
    `You'll be charged the same amount ${interval} until you cancel.`,
  cancelAnyTime:
    "You can cancel at any time under Membership and keep your access until the end of the period you've paid for.",
} as const;

/** Under PAY. */
export const payingAcceptsStrings = {
  before: "By paying you accept the ",
  terms: "terms",
  between: " and ask us to begin at once. You have 14 days to ",
  withdraw: "change your mind",
  after: " and get your money back.",
  afterInProportion: " and get your money back, less the days you have used.",
} as const;

/** A code for a discount or free days. */
export const discountCodeStrings = {
  open: "Add a promo code",
  code: "Code",
  codeMissing: "Enter your code.",
  apply: "Apply",
  accepted: (code: string) => `Code ${code}`,
  remove: "Remove code",
  trial: (days: number, later: string, interval: PlanInterval) =>
    `${pluralise(days, "day")} free, then ${later} each ${interval}. Cancel before they end and you pay nothing.`,
  always: (price: string, interval: PlanInterval) =>
    `${price} each ${interval} for as long as you stay.`,
  once: (today: string, later: string, interval: PlanInterval) =>
    `${today} today, then ${later} each ${interval}.`,
  forPeriods: (price: string, periods: number, later: string, interval: PlanInterval) =>
    `${price} each ${interval} for ${periods} ${interval}s, then ${later} each ${interval}.`,
} as const;

/** What `/success` is headed with. */
export const paymentResultHeadings = {
  paid: { title: "Payment Successful", intro: `Thank you, and welcome to ${brand.name}.` },
  trial: {
    title: "Your Trial Has Begun",
    intro: `Nothing is charged until it ends. Welcome to ${brand.name}.`,
  },
  waiting: { title: "Checking Your Payment", intro: "The result will appear here." },
  none: { title: "No Payment Yet", intro: "We haven't received a payment from this account." },
  "not-active": {
    title: "Your Membership Is Not Active",
    intro: "There is one thing left to do.",
  },
} as const satisfies Record<CardPaymentResult, { title: string; intro: string }>;

export const successStrings = {
  activation: "Activation",
  isActive: "Your membership is active.",
  active: "Active",
  redirecting: "Taking you to the next step…",
  activating: "We are activating your membership…",
  waiting: "Waiting for confirmation",
  guarantee: `The guarantee runs from today. Within ${guaranteeTerms.baselineDays} days, write down what you earn a month, either at the end of the next steps or on your progress page. Without it, the guarantee doesn't apply.`,
  keepOpen: "This usually takes a few seconds. Keep this page open. It continues automatically.",
  payAgain: {
    before: "Did your bank decline it, or did you close the bank's window? ",
    link: "Pay again",
    after: ". You'll only be charged once.",
  },
  unreachable: "We can't reach the server right now. Nothing is lost, and we'll keep trying.",
  notPaid: "Choose a plan and pay, and your membership starts at once.",
  viewPlans: "View plans",
  membership: "Go to Membership",
  next: "Continue",
  nextAnyway: "Continue Anyway",
} as const;
