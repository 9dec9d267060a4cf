import { brand } from "@/domain/brand.ts";
import { paths } from "@/domain/paths.ts";
import type { SoldPlan } from "../model/sold-plan.ts";
import { cancelAnswer, costAnswer, lengthOfMembership } from "./prices.ts";

export interface FrequentQuestion {
  readonly question: string;
  readonly answer: string;
  /** Words of the answer that lead to a page. */
  readonly link?: undefined | { readonly words: string; readonly href: string };
}

/** The questions, answered for what is sold. */
export const frequentQuestions = (plans: readonly SoldPlan[]): readonly FrequentQuestion[] => [
  {
    question: "Who is it for?",
    answer:
      "For people with a wage, a trade or a small business that has stopped growing, who can give it five hours a week and can bear to show unfinished work to people who mean well.",
  },
  {
    question: "Who is it not for?",
    answer:
      "For anyone looking for signals, tips or a machine that pays while you sleep from day one. Nor for those who would like to watch: there is nothing here for spectators. And if you need the money for food or rent this month, please keep it.",
  },
  {
    question: "What happens after I sign up?",
    answer:
      "You create an account, choose a plan, pay by card and go through nine short steps that tell us where you are and what you want. It takes about fifteen minutes. Then your dashboard opens at level 1.",
  },
  {
    question: "What does it cost?",
    answer: costAnswer(plans),
  },
  {
    question: "How do I cancel?",
    answer: cancelAnswer(plans),
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
    answer: "No. Levels open because of what you do, not what you pay.",
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
  readonly text: string;
  readonly email?: string;
  /** The whole text on a page of its own. */
  readonly link?: { readonly words: string; readonly href: string };
}

export const smallPrint = (plans: readonly SoldPlan[]): readonly SmallPrint[] => [
  {
    id: "careers",
    title: "Work for the network",
    text: "We look for people who edit well, teach patiently or build software that others enjoy using. Send us something you made, and what you would change about it now.",
    email: brand.careersEmail,
  },
  {
    id: "contact",
    title: "Contact Us",
    text: "Questions about membership, payments or your account are answered by a person.",
    email: brand.supportEmail,
  },
  {
    id: "privacy",
    title: "Privacy",
    text: "We keep what the membership needs, sell nothing and set no cookies. This page remembers one thing in your browser: when the countdown ends.",
    link: { words: "Read the privacy notice", href: paths.privacy },
  },
  {
    id: "terms",
    title: "Terms",
    text: `${lengthOfMembership(plans)} One person, one account. What you write stays yours, and nothing here is personal financial advice.`,
    link: { words: "Read the terms", href: paths.terms },
  },
  {
    id: "security",
    title: "Security",
    text: "Connections are encrypted, and card details never reach our servers. If you find a weakness, please tell us before you tell others.",
    email: brand.securityEmail,
  },
];
