import type { ChosenPlan } from "@/domain/chosen-plan.ts";
import { guaranteeTerms } from "@/domain/guarantee-terms.ts";
import { landingWords } from "@/domain/landing-words.ts";
import { planLines } from "@/domain/plan-lines.ts";

/** The copy of the landing page. What is charged is in the catalogue of plans: `strings/prices.ts`. */
export const landingStrings = {
  skip: "Skip to content",
  menu: "Main",
  signIn: "Sign in",
  links: [
    { words: "Inside", href: "#inside" },
    { words: "Plans", href: "#plans" },
    { words: "Guarantee", href: "#guarantee" },
  ],
  ...landingWords,
  claim: "Claim your place",
  cancel: "cancel any time",
  countdown: "Offer ends in",
  spotsLeft: (perMonth: number, remaining: number) =>
    `${perMonth} new members a month, ${remaining} spots remaining`,
  levelsTitle: "Four levels, one line, and it only goes up",
  levelsIntro:
    "Not a library with a price on the door. You begin in the community, and each level opens when the one before is truly done: you cannot buy the second one.",
  level: (number: number) => `Level ${number}`,
  tiersTitle: "Two ways in",
  /** Said to screen readers before the price that is crossed out. */
  insteadOf: "instead of ",
  aMonth: "a month",
  startWith: (tier: string) => `Start with ${tier}`,
  places: {
    before: (perMonth: number) =>
      `We take in ${perMonth} new members a month, so every new member gets a proper welcome. `,
    remaining: (count: number) => `${count} spots remain`,
    after: " this month.",
  },
  questionsTitle: "Questions people ask first",
  closingTitle: "In six months you will have spent the time anyway.",
  footer: "Footer",
  signUpOrIn: "SIGN UP / SIGN IN",
  adminSignIn: "ADMIN LOGIN",
  seller: "Who sells here",
  company: (number: string) => `Company number ${number}`,
  vat: (number: string) => `VAT number ${number}`,
} as const;

export const figures = [
  { value: "10,247+", label: "members" },
  { value: "1,247", label: "lives changed" },
  { value: "10x", label: "income, the aim" },
] as const;

export const spots = { perMonth: 100, remaining: 12 } as const;

export const outcomeStrings = {
  title: "What members did with it",
  intro: "Their words, shown with their permission.",
  trialIntro:
    "These members are examples that come with the demo. A live site shows members' own words here, with their permission.",
  example: "Example",
} as const;

export const insideStrings = {
  title: "What is inside today",
  intro: "Counted when this page was made, not rounded up.",
  rooms: (count: number) => (count === 1 ? "chat room" : "chat rooms"),
  articles: (count: number) => (count === 1 ? "article" : "articles"),
  courses: (count: number) => (count === 1 ? "course" : "courses"),
  mentors: (count: number) => (count === 1 ? "mentor" : "mentors"),
  host: "Your host",
  sellers: "Mentors whose courses you can look at now",
  free: "Read one lesson now, without an account",
  lesson: (course: string, mentor: string) => `From “${course}” by ${mentor}`,
  open: "Read the lesson",
} as const;

export const guarantee = {
  line: "10x your income within 6 months, or your money back and you continue for free.",
  intro: "It has terms, and these are the ones that count.",
  name: "The guarantee",
  asks: `What you do in those ${guaranteeTerms.months} months`,
  numbers: [
    { value: String(guaranteeTerms.checkIns), label: "monthly check-ins" },
    { value: String(guaranteeTerms.submissions), label: "submissions" },
    { value: String(guaranteeTerms.messages), label: "messages in chat rooms" },
    { value: String(guaranteeTerms.articles), label: "articles read" },
  ],
  numbersNote: `And you stay a member for the ${guaranteeTerms.membershipMonths} months. Your progress page counts all of it for you.`,
  steps: [
    {
      title: "Write down where you start",
      text: `In your first ${guaranteeTerms.baselineDays} days you record what you earn a month. Without that figure the guarantee doesn't apply.`,
    },
    {
      title: "Compare after six months",
      text: `If your income is not ten times as high, you make your claim on your progress page, in one form, within ${guaranteeTerms.claimDays} days.`,
    },
  ],
  exampleTitle: "An example in pounds",
  claims: "Claims so far",
  claimFigures: (decided: number, granted: number) => `${decided} decided, ${granted} granted`,
  claim: "Take us at our word",
  terms: "Read the terms, on one page",
} as const;

export const levelDetails = [
  "Open chat rooms, share submissions and take part in conversations. You learn by being seen doing.",
  "Articles and courses on thinking, habits and skill, and the talk that makes them stick.",
  "Offers, customers, selling: articles and courses, tried out on your own trade as you go.",
  "Keep it, protect it, grow it. Articles and courses on money that no longer needs your hours.",
] as const;

export const week = {
  title: "A week inside",
  intro: "Nothing here asks for a free afternoon. It asks for ten minutes, often.",
  days: [
    {
      day: "Monday",
      text: "You write a pact: one thing, by Friday, that could bring in money. Three people say they will ask about it.",
    },
    {
      day: "Tuesday",
      text: "You read two articles on the way to work and mark them as read. Your level bar moves a little.",
    },
    {
      day: "Wednesday",
      text: "You are stuck, and say so. Someone who was stuck at the same point tells you what they did.",
    },
    {
      day: "Thursday",
      text: "You finish a course module and try its one exercise on a real customer.",
    },
    {
      day: "Friday",
      text: "You post what happened, even if it failed. Failures are a kind of submission here.",
    },
  ],
} as const;

/** Some lines of a plan under what they are good for. */
export interface TierGroup {
  readonly title: string;
  readonly lines: readonly string[];
}

export interface Tier {
  readonly name: string;
  /** The plan the button leads to. */
  readonly plan: ChosenPlan;
  /** Marketing figures, shown while the plan is sold at the price it began with. */
  readonly price: string;
  readonly before: string;
  readonly pitch: string;
  readonly plus?: string;
  readonly groups: readonly TierGroup[];
}

const [chats, levelSystem, peers, sharing, courses, library, directory, affiliates, achievements] =
  planLines.student;
const [creation, studentAnalytics, advancedAnalytics, selling, training, studentAffiliates] =
  planLines.mentor;

export const tiers: readonly Tier[] = [
  {
    name: "Student Access",
    plan: "student",
    price: "£55",
    before: "£117",
    pitch: "Everything you need to climb all four levels.",
    groups: [
      { title: "People who ask how it went", lines: [chats, peers, directory] },
      { title: "Something to learn for each step", lines: [courses, library] },
      { title: "Progress you can see and show", lines: [levelSystem, achievements, sharing] },
      { title: "A share when someone joins through you", lines: [affiliates] },
    ],
  },
  {
    name: "Mentor Access",
    plan: "mentor",
    price: "£111",
    before: "£227",
    pitch: "For those who already know something worth paying for.",
    plus: "Everything in Student Access, and",
    groups: [
      { title: "Teach what you know", lines: [creation, training] },
      { title: "See who reads, and where they stop", lines: [studentAnalytics, advancedAnalytics] },
      { title: "Earn from it", lines: [selling, studentAffiliates] },
    ],
  },
];
