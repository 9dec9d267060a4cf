import { brand } from "@/domain/brand.ts";
import type { Requirement } from "@/domain/level-progress.ts";
import { sections } from "@/domain/library-paths.ts";
import { pluralise } from "@/lib/format-count.ts";
import type { AnswerKey } from "./model/questions.ts";
import type { StepNumber } from "./model/steps.ts";

/** The frame of every step, the questions, and the page that edits their answers. */
export const onboardingStrings = {
  frontPage: `${brand.name}, to the front page`,
  signOut: "Sign out",
  progress: "Onboarding",
  step: (number: number, count: number) => `Step ${number} of ${count}`,
  loadingStep: "Loading this step",
  back: "Back",
  continue: "Continue",
  stepNotFound: "Step not found",
  noSuchStep: (count: number) => `Onboarding has ${count} steps, and this isn't one of them.`,
  backToStep: "Back to where you were",
  chooseNumber: "Choose a number",
  answerMissing: "Please answer this question.",
  nameUnreadable: "A name needs a letter, and no characters that can’t be seen.",
  termsMissing: "Please agree to the terms and conditions to continue.",
  completeFailed: "Failed to complete onboarding. Please try again.",
  /** Names the form of a page's answers. */
  answersForm: { 6: "Goals", 7: "Profile" },
  loadingAnswers: "Loading your answers",
  answersNotLoaded: "We couldn't load your answers",
  saveAnswers: "Save changes",
  discardAnswers: "Discard changes",
  answersSaved: "Your changes are saved.",
  answersNotSaved: "We couldn't save your changes. Your text is still here. Please try again.",
} as const;

export const stepTitles: Readonly<Record<StepNumber, string>> = {
  1: "Welcome",
  2: "Four levels",
  3: "The rooms and their rules",
  4: "How learning counts",
  5: "Your first week",
  6: "Where you are now",
  7: "Who you are",
  8: "Confirm your identity",
  9: "Ready",
};

export const welcomeStepStrings = {
  intro: `${brand.name} is a place to get better at four things, in this order: being in good company, knowing what you are doing, running something that earns, and keeping what it brings. You are not expected to be good at any of them today.`,
  howItWorks:
    "It works by doing. You talk with people who want similar things, you write down what you tried, you read and study, and what you do is counted. Enough of it opens the next level. Nothing else does: you can't buy or skip a level.",
  nextTitle: "What the next few minutes are for",
  next: [
    "Four short pages on how everything works. Reading them saves you a week of guessing.",
    "Two pages of questions, so that you have your starting point in writing.",
    "One identity document, because we check that every member is who they say they are.",
  ],
  time: "Allow about fifteen minutes. Your place and your answers are saved each time you continue, so you can close this page and carry on later, on another device if you like.",
} as const;

export const levelsStepStrings = {
  intro:
    "There are four levels. You start at the first. As soon as you have done what a level asks for, the next one opens automatically.",
  level: (number: number) => `Level ${number}`,
  opens: {
    1: "Five chat rooms, and the feed of learning submissions.",
    2: "Knowledge articles and courses, and four more rooms.",
    3: "Business articles and courses, and five more rooms.",
    4: "Wealth articles and courses, and the last five of nineteen rooms.",
  },
  toReach: (level: number) => `To reach Level ${level}`,
  toComplete: "To complete all four levels",
  loading: (level: number) => `Loading what Level ${level} asks for`,
  loadFailed: "We couldn't load what each level asks for",
  counting:
    "Messages, replies and likes are counted from your first day and never reset, so those of Level 1 count towards Level 2 as well. Articles and courses count in their own category, and each one counts once. You can see every figure on your dashboard.",
} as const;

/** `{ kind: "articles", needed: 25, category: "general" }` → `25 Knowledge articles read`. */
export function formatRequirement({ kind, needed, category = "general" }: Requirement): string {
  switch (kind) {
    case "rooms":
      return `${pluralise(needed, "chat room")} opened`;
    case "submissions":
      return `${pluralise(needed, "learning submission")} posted`;
    case "engagements":
      return `${needed} messages, replies and likes in all`;
    case "articles":
      return `${pluralise(needed, `${sections[category].name} article`)} read`;
    case "courses":
      return `${pluralise(needed, `${sections[category].name} course`)} completed`;
  }
}

export const roomsStepStrings = {
  intro:
    "Rooms are where members talk every day. Each has one purpose, written at the top. Five are open to you from the start:",
  rooms: [
    {
      name: "General",
      purpose: ", to say hello and talk about anything that doesn't have its own room",
    },
    {
      name: "Accountability",
      purpose: ", to say what you will do today, and tonight whether you did",
    },
    { name: "Motivation", purpose: ", for the days when it's hard to get started" },
    { name: "Productivity", purpose: ", for schedules, tools and habits that last" },
    { name: "Success", purpose: ", for what worked, small things included" },
  ],
  colours:
    "Names carry a colour: blue for members, purple for mentors, red for administrators. Rooms of later levels stay in the list with a lock and the level that opens them.",
  rulesTitle: "House rules",
  rules: [
    {
      rule: "Talk to people, not at them.",
      text: " Disagree with what someone said, not with who they are.",
    },
    {
      rule: "Say what you did, not what you are worth.",
      text: " Nobody has to tell other members what they earn, and boasting about it helps nobody learn.",
    },
    {
      rule: "What is said in a room stays there.",
      text: " No screenshots, no quoting a member elsewhere without asking.",
    },
    {
      rule: "No selling in the rooms.",
      text: " No private pitches, no links to your own offers, no advice that pays you to give it.",
    },
    {
      rule: "Don't post just to be counted.",
      text: " A like removed and given again counts once, and a hundred empty messages will get you a conversation with an administrator.",
    },
  ],
  help: "If something is wrong, tell an administrator. You will get an answer from a person, and nobody is removed without one.",
} as const;

export const learningStepStrings = {
  intro: "Between conversations, there are three ways to learn. They work differently.",
  submissionsTitle: "Learning submissions",
  submissions:
    "A submission is a short, honest note to other members: a title, what happened, and a picture if it helps. Choose its type:",
  types: [
    { name: "Progress report", about: ": what moved since the last one" },
    { name: "Before and after", about: ": the same thing, then and now" },
    {
      name: "Failure",
      about: ": what went wrong and what it cost, so that others can avoid it",
    },
    { name: "Success", about: ": what worked, with enough detail for others to try it" },
  ],
  submissionsNeeded:
    "You need some of them to complete Level 1. Failures are read the most, so don't hold yours back.",
  articlesTitle: "Articles",
  articles: {
    before: "Each shows how many minutes it takes to read. Press ",
    button: "Mark as Read",
    after:
      " when you have really read it: the button is at the top and again at the end. An article counts once, in its own category.",
  },
  coursesTitle: "Courses",
  courses:
    "You enrol first, which is included in your membership, and then work through the modules in any order. When the last one is done the course counts as completed. You can come back to a course months later and carry on where you left off.",
} as const;

export const firstWeekStepStrings = {
  visibleTitle: "What other members can see",
  visible:
    "Members see your name, your occupation, the few words you write about yourself, your role and what you post. They never see your email address, your card, your answers to the questions on the next page, what you write down for the guarantee or your identity document.",
  privacy: {
    before:
      "Your card is held by our payment provider and never reaches us. You can export everything we keep about you at any time under Account. ",
    link: "The privacy page",
    after: " has the long version.",
  },
  documentTitle: "Why we ask for a document",
  document:
    "So that you know the people you take advice from are real. An administrator compares your document with your name and says yes or no, usually within 24 hours, or 48 when many are waiting. You can use your membership in the meantime. The file is seen by administrators alone and deleted thirty days after the decision; only the decision is kept.",
  weekTitle: "A good first week",
  week: [
    {
      days: "In the first seven days:",
      task: " write down what you earn a month, at the end of these steps or on your progress page. Without it the guarantee doesn't apply. Only you see it, and administrators if you claim.",
    },
    {
      days: "Day one:",
      task: " say hello in General. One sentence about what you do and one about what you want to change is plenty.",
    },
    {
      days: "Days two and three:",
      task: " open the other four rooms and reply to someone in each. A reply starts more conversations than an announcement.",
    },
    {
      days: "Day four:",
      task: " post your first learning submission. Describe where you are starting from; you will want to compare.",
    },
    {
      days: "Days five and six:",
      task: " pick one thing, say in Accountability that you will do it, do it, and come back to say so.",
    },
    {
      days: "Day seven:",
      task: " look at your dashboard. It shows what is left before Level 2, and the next thing that counts.",
    },
  ],
  support: { before: "Stuck? Write to ", after: "." },
} as const;

/** The questions of steps 6 and 7. */
export const questionTexts: Readonly<
  Record<AnswerKey, { readonly text: string; readonly hint?: string }>
> = {
  current_situation: {
    text: "Your current situation",
    hint: "What you do, what you earn and what a typical week looks like.",
  },
  biggest_challenge: {
    text: "Your biggest challenge",
    hint: "The one thing that holds you back most.",
  },
  goals_6_months: {
    text: "Your goals for the next six months",
    hint: "Something you could show to someone.",
  },
  goals_1_year: {
    text: "Your goals for the next year",
    hint: "What would be different on an ordinary Tuesday?",
  },
  motivation: {
    text: "Your motivation",
    hint: "Why it matters, and who else it matters to.",
  },
  commitment_level: {
    text: "Your commitment, from 1 to 10",
    hint: "1 means curious, 10 means every day, whatever happens. There is no wrong answer.",
  },
  first_name: { text: "First name" },
  last_name: { text: "Last name" },
  occupation: {
    text: "Occupation",
    hint: "What you'd say when someone asks what you do.",
  },
  bio: {
    text: "A few words about you",
    hint: "Other members see this beside your name.",
  },
};

/** Names the questions that still want an answer. */
export function requiredFieldsMessage(questions: readonly string[]): string {
  return `Please complete all required fields: ${questions.join(", ")}`;
}

export const confirmationStepStrings = {
  guaranteeSkip: "You can skip this now and do it later on your progress page.",
  intro:
    "Please check your answers. You can still change any of it, now or later on your account page.",
  name: "Name",
  occupation: "Occupation",
  goals6Months: "In six months",
  goals1Year: "In a year",
  commitment: "Commitment",
  commitmentLevel: (level: string) => `${level} out of 10`,
  identity: "Identity",
  documentReceived: "Document received",
  notAnswered: "Not answered",
  change: "Change",
  changeAnswer: (name: string) => `Change ${name.toLowerCase()}`,
  agreement: {
    before: "I agree to the ",
    terms: "terms and conditions",
    between: " and have read the ",
    privacy: "privacy notice",
    after: ".",
  },
  complete: "Complete Onboarding",
  membershipInactive: "Your membership is not active at the moment. Check it under Membership.",
  answersMissing:
    "Some of your answers were not saved. Go back to steps 6 and 7 and continue from there.",
  documentMissing:
    "We have not received your identity document. Go back to step 8 and upload it again.",
} as const;
