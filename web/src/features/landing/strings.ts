import { brand } from "@/domain/brand.ts";
import type { ChosenPlan } from "@/domain/chosen-plan.ts";
import { guaranteeTerms, guaranteeWorkSentence } from "@/domain/guarantee-terms.ts";
import { paths } from "@/domain/paths.ts";
import { planLines } from "@/domain/plan-lines.ts";

/**
 * The copy of the landing page. Prices and figures here are marketing copy; what is charged is
 * in the catalogue of plans.
 */
export const landingStrings = {
  skip: "Skip to content",
  signIn: "Sign in",
  headline: "Earn ten times more in six months. Or stay for free.",
  lead: "A membership for people who want to earn more and are willing to work for it. If you do not 10x your income within 6 months, you get your money back and continue for free.",
  claim: "Claim your place",
  countdown: "This month's price holds for",
  spotsLeft: (perMonth: number, remaining: number) =>
    `${perMonth} new members a month, ${remaining} spots remaining`,
  levelsTitle: "Four levels, one line, and it only goes up",
  levelsIntro:
    "You begin in the community, and each level opens when the one before is truly done.",
  level: (number: number) => `Level ${number}`,
  tiersTitle: "Two ways in",
  tiersIntro: "Both are monthly, and both can be cancelled in two clicks.",
  /** Said to screen readers before the price that is crossed out. */
  insteadOf: "instead of ",
  aMonth: "a month",
  charged: (amount: string) => `You are charged ${amount} a month, from the day you join.`,
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
} as const;

export const figures = [
  { value: "10,247+", label: "members in the community" },
  { value: "1,247", label: "lives changed in their own words" },
  { value: "10x", label: "income, the aim for your first six months" },
] as const;

export const spots = { perMonth: 100, remaining: 12 } as const;

export const guarantee = {
  line: "10x your income within 6 months, or your money back and you continue for free.",
  intro: "It has terms, and these are the ones that count.",
  steps: [
    {
      title: "Write down where you start",
      text: `In your first ${guaranteeTerms.baselineDays} days you record what you earn a month. That figure is the base we both work from; without it the guarantee doesn't apply.`,
    },
    {
      title: "Do the work, in the open",
      text: `In those six months: ${guaranteeWorkSentence}. Your progress page counts them for you.`,
    },
    {
      title: "Compare after six months",
      text: "If your income is not ten times the base, make your claim on your progress page, in one form. Once it is granted, you get back what you paid, and your membership carries on without charge.",
    },
  ],
  claim: "Take us at our word",
  terms: "Read the terms, on one page",
} as const;

export const levelDetails = [
  "Open chat rooms, share submissions and take part in conversations. You learn by being seen doing.",
  "Articles and courses on thinking, habits and skill, and the talk that makes them stick.",
  "Offers, customers, selling: articles and courses, tried out on your own trade as you go.",
  "Keep it, protect it, grow it. Articles and courses on money that no longer needs your hours.",
] as const;

export const problem = {
  title: "You do not lack ambition. You lack a room that expects something of you.",
  paragraphs: [
    "Most people who want to earn more already know enough to begin. They have read the books and saved the videos. What they do not have is an order to do things in, somebody who notices when they stop, and a reason to carry on in the fourth week, when the first excitement is gone.",
    "Earning more is rarely one great idea. It is a series of small, slightly uncomfortable steps in the right order: say what you will do, do it, show it, hear what others think of it, and do the next one better. Alone, that loop breaks quickly. Among people who are doing the same, it is simply what everybody does.",
    `So ${brand.name} is not a library with a price on the door. It is four levels, and you cannot buy the second one. You earn it, by what you do in the first.`,
  ],
} as const;

export const week = {
  title: "A week inside",
  intro: "Nothing here asks for a free afternoon. It asks for ten minutes, often.",
  days: [
    {
      day: "Monday",
      text: "You write a pact in your room: one thing, by Friday, that could bring in money. Three people say they will ask about it.",
    },
    {
      day: "Tuesday",
      text: "You read two articles on the way to work and mark them as read. The bar of your level moves a little.",
    },
    {
      day: "Wednesday",
      text: "You are stuck, and say so. A member who was stuck there in March answers within the hour.",
    },
    {
      day: "Thursday",
      text: "You finish a course module and try its one exercise on a real customer.",
    },
    {
      day: "Friday",
      text: "You post what happened, even if it failed. Failures are a kind of submission here, and often the most read.",
    },
  ],
} as const;

export interface Tier {
  readonly name: string;
  /** The plan the button leads to. */
  readonly plan: ChosenPlan;
  /** What is charged a month, as in the catalogue of plans. */
  readonly charged: string;
  readonly price: string;
  readonly before: string;
  readonly pitch: string;
  readonly plus?: string;
  readonly features: readonly string[];
}

export const tiers: readonly Tier[] = [
  {
    name: "Student Access",
    plan: "student",
    charged: "£50",
    price: "£55",
    before: "£117",
    pitch: "Everything you need to climb all four levels.",
    features: planLines.student,
  },
  {
    name: "Mentor",
    plan: "mentor",
    charged: "£100",
    price: "£111",
    before: "£227",
    pitch: "For those who already know something worth paying for.",
    plus: "Everything in Student Access, and",
    features: planLines.mentor,
  },
];

export const audience = {
  title: "Who it is for, and who it is not",
  fitsTitle: "It is for you if",
  fits: [
    "You have a wage, a trade or a small business, and it has stopped growing.",
    "You can give it five hours a week, and would rather give them than scroll through them.",
    "You can bear to show unfinished work to people who mean well.",
  ],
  doesNotFitTitle: "It is not for you if",
  doesNotFit: [
    "You are looking for signals, tips or a machine that pays while you sleep from day one.",
    "You would like to watch. There is nothing here for spectators.",
    "You need the money for food or rent this month. Please keep it.",
  ],
} as const;

export interface FrequentQuestion {
  readonly question: string;
  readonly answer: string;
  /** Words of the answer that lead to a page. */
  readonly link?: undefined | { readonly words: string; readonly href: string };
}

export const frequentQuestions: readonly FrequentQuestion[] = [
  {
    question: "What happens after I sign up?",
    answer:
      "You create an account, choose a plan, pay by card and go through nine short steps that tell us where you are and what you want. It takes about fifteen minutes. Then your dashboard opens at level 1.",
  },
  {
    question: "What does it cost?",
    answer:
      "You are charged £50 a month for Student Access or £100 a month for Mentor, in pounds sterling, from the day you join. That is less than the £55 and £111 shown with the plans. You see the amount again next to the button before you pay, and on every receipt; creating an account costs nothing.",
  },
  {
    question: "How do I cancel?",
    answer:
      "On the membership page, in two clicks. You keep access until the end of the month you paid for, and you can change your mind until then.",
  },
  {
    question: "Is the guarantee real?",
    answer:
      "Yes. If you do not 10x your income within six months, you get your money back and continue for free. What we ask is that you recorded where you started in your first week and did the work.",
    link: { words: "did the work", href: paths.guarantee },
  },
  {
    question: "How much time do I need?",
    answer:
      "Five hours a week is a good pace. Every part works in pieces of ten minutes, on a phone as well as at a desk.",
  },
  {
    question: "Can I skip a level?",
    answer:
      "No. Levels open by what you do, not by what you pay. Members tell us it is the reason they finished.",
  },
  {
    question: "Why do you ask for an identity document?",
    answer:
      "Because everybody in the rooms should be who they say they are. An administrator checks it, usually within 24 to 48 hours, and the document is deleted thirty days after the decision.",
  },
];

export interface SmallPrint {
  readonly id: "careers" | "contact" | "privacy" | "terms" | "security";
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly email?: string;
  /** The whole text on a page of its own. */
  readonly link?: { readonly words: string; readonly href: string };
}

export const smallPrint: readonly SmallPrint[] = [
  {
    id: "careers",
    title: "Work for the network",
    paragraphs: [
      "We are a small team and hire slowly, mostly among members. We look for people who edit well, teach patiently or build software that others enjoy using.",
      "Write to us with something you made and what you would change about it now.",
    ],
    email: brand.careersEmail,
  },
  {
    id: "contact",
    title: "Contact Us",
    paragraphs: [
      "Questions about membership, payments or your account are answered by a person, usually within one working day.",
    ],
    email: brand.supportEmail,
  },
  {
    id: "privacy",
    title: "Privacy",
    paragraphs: [
      "We keep what the membership needs: your email address, the answers you give us, what you write and what you have completed. Card details go to our payment provider and never reach our servers. Identity documents are seen by administrators only and are deleted thirty days after the decision.",
      "We do not sell data, show advertising or follow you around other sites. This page sets no cookies; it remembers one thing in your browser, the moment the countdown ends.",
      "You may ask at any time for a copy of your data, or for your account to be deleted.",
    ],
    link: { words: "Read the privacy notice", href: paths.privacy },
  },
  {
    id: "terms",
    title: "Terms",
    paragraphs: [
      "Membership runs from month to month, renews by itself and ends when you cancel it, at the end of the month you paid for. One person, one account. What you write remains yours; you allow us to show it to other members.",
      "Be civil, be honest about results, and do not sell to members who did not ask. Nothing here is personal financial advice; what you do with your money stays your decision.",
    ],
    link: { words: "Read the terms", href: paths.terms },
  },
  {
    id: "security",
    title: "Security",
    paragraphs: [
      "Connections are encrypted, passwords are stored as salted hashes, and every row of the database is guarded by rules that decide who may read it.",
      "If you find a weakness, tell us before you tell others. We answer quickly, and we thank you by name if you like.",
    ],
    email: brand.securityEmail,
  },
];
