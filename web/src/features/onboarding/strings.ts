import { brand } from "@/domain/brand.ts";
import type { Requirement } from "@/domain/level-progress.ts";
import { sections } from "@/domain/library-paths.ts";
import { pluralise } from "@/lib/format-count.ts";
import type { AnswerKey } from "./model/questions.ts";
import type { StepNumber } from "./model/steps.ts";

/** The frame of every step, the questions, and the page that edits their answers. */
export const onboardingStrings = {
  frontPage: `${brand.name} home page`,
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
  answered: (count: number, all: number) => `${count} of ${all} answered`,
  example: (text: string) => `For example: “${text}”`,
  nextQuestion: "Next question",
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

/** What waits behind "Continue", said beside it. The last step leads out of the wizard. */
export const nextStepHints: Readonly<Record<Exclude<StepNumber, 9>, string>> = {
  1: "Next: four levels, and what each one opens",
  2: "Next: the rooms you can walk into today",
  3: "Next: three ways to learn",
  4: "Next: your first week, day by day",
  5: "Next: six questions, one at a time",
  6: "Next: your name and what you do",
  7: "Next: one document, so that everyone here is real",
  8: "Next: a last look, then you're in",
};

export const welcomeStepStrings = {
  intro: `${brand.name} is a place to get better at four things, in this order: being in good company, knowing what you are doing, running something that earns, and keeping what you make.`,
  howItWorks:
    "You learn by doing. You talk, you write down what you tried, you read and study, and what you do is counted. Enough of it opens the next level. Nothing else does: you can't buy or skip a level.",
  time: "These steps take about fifteen minutes. Your place and your answers are saved each time you continue, so you can carry on later, on another device if you like.",
} as const;

export const levelsStepStrings = {
  intro:
    "You start at the first. As soon as you have done what a level asks for, the next one opens automatically.",
  level: (number: number) => `Level ${number}`,
  opens: {
    1: "Five chat rooms, and the feed of learning submissions.",
    2: "Knowledge articles and courses, and four more rooms.",
    3: "Business articles and courses, and five more rooms.",
    4: "Wealth articles and courses, and the last five of nineteen rooms.",
  },
  toReach: (level: number) => `To reach Level ${level}:`,
  toComplete: "To complete all four levels:",
  loading: (level: number) => `Loading what Level ${level} asks for`,
  loadFailed: "We couldn't load what each level asks for",
  counting:
    "Messages, replies and likes are never reset, so those of Level 1 count towards Level 2 as well. Each article and course counts once, in its own category.",
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
  intro: "Members talk in rooms, every day. Five are open to you from the start:",
  rooms: [
    { name: "General", purpose: "say hello, and anything without a room of its own" },
    { name: "Accountability", purpose: "what you will do today, and whether you did" },
    { name: "Motivation", purpose: "for days when it's hard to get started" },
    { name: "Productivity", purpose: "schedules, tools and habits that last" },
    { name: "Success", purpose: "what worked, small things included" },
  ],
  picture: {
    room: "Accountability",
    lines: [
      { name: "Priya", text: "Four places by Saturday." },
      { name: "Tom", text: "I'll ask you on Friday." },
    ],
  },
  rulesTitle: "Five house rules",
  rules: [
    {
      rule: "Talk to people, not at them.",
      text: "Disagree with what someone said, not with who they are.",
    },
    {
      rule: "Say what you did, not what you are worth.",
      text: "Nobody has to tell other members what they earn, and boasting about it helps nobody learn.",
    },
    {
      rule: "What is said in a room stays there.",
      text: "No screenshots, no quoting a member elsewhere without asking.",
    },
    {
      rule: "No selling in the rooms.",
      text: "No private pitches, no links to your own offers, no advice that pays you to give it.",
    },
    {
      rule: "Don't post just to be counted.",
      text: "A like removed and given again counts once, and a hundred empty messages will get you a conversation with an administrator.",
    },
  ],
  moreTitle: "Colours, locks and help",
  more: [
    "Names carry a colour: blue for members, purple for mentors, red for administrators. Rooms of later levels stay in the list with a lock and the level that opens them.",
    "If something is wrong, tell an administrator. You will get an answer from a person, and nobody is removed without one.",
  ],
} as const;

export const learningStepStrings = {
  intro: "Between conversations, there are three ways to learn.",
  ways: [
    {
      name: "Submissions",
      about:
        "Short, honest notes to other members: what moved, what worked, what went wrong. You need some of them to complete Level 1, and failures are read the most.",
    },
    {
      name: "Articles",
      about:
        "Each says how many minutes it takes. Press “Mark as Read” when you have really read it.",
    },
    {
      name: "Courses",
      about: "Enrol, work through the modules in any order, come back whenever you like.",
    },
  ],
  picture: {
    type: "Failure",
    title: "I gave six free assessments and sold nothing",
  },
  moreTitle: "How each of them counts",
  more: [
    "A submission has a type: progress report, before and after, failure or success. A picture is welcome.",
    "An article counts once, in its own category. The button is at the top and again at the end.",
    "Enrolling is included in your membership. When the last module is done the course counts as completed.",
  ],
} as const;

export const firstWeekStepStrings = {
  week: [
    { days: "Day one", task: "Say hello in General, and write down what you earn a month." },
    { days: "Days two and three", task: "Open the other four rooms and reply to someone in each." },
    { days: "Day four", task: "Post your first submission: where you are starting from." },
    {
      days: "Days five and six",
      task: "Say in Accountability what you will do, do it, and come back to say so.",
    },
    { days: "Day seven", task: "Look at your dashboard: it shows what is left before Level 2." },
  ],
  picture: {
    title: "Your first days",
    tasks: [
      "Say hello in General",
      "Write down what you earn",
      "Open your rooms",
      "Post your first submission",
    ],
  },
  guarantee:
    "What you earn has to be written down within seven days, at the end of these steps or on your progress page: without it the guarantee doesn't apply. Only you see it, and administrators if you claim.",
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
  support: { before: "Stuck? Write to ", after: "." },
} as const;

/** The questions of steps 6 and 7. */
export const questionTexts: Readonly<
  Record<AnswerKey, { readonly text: string; readonly hint?: string; readonly example?: string }>
> = {
  current_situation: {
    text: "Your current situation",
    hint: "What you do, what you earn and what a typical week looks like.",
    example:
      "I fit kitchens for a firm in Leeds, about £2,300 a month. Long days until Thursday, and Fridays are mine.",
  },
  biggest_challenge: {
    text: "Your biggest challenge",
    hint: "The one thing that holds you back most.",
    example: "I start things and stop when nobody asks about them.",
  },
  goals_6_months: {
    text: "Your goals for the next six months",
    hint: "Something you could show to someone.",
    example: "Three kitchens of my own, paid, with photographs.",
  },
  goals_1_year: {
    text: "Your goals for the next year",
    hint: "What would be different on an ordinary Tuesday?",
    example: "I decide which jobs to take, and I am home at five.",
  },
  motivation: {
    text: "Your motivation",
    hint: "Why it matters, and who else it matters to.",
    example: "My daughter starts school in September. I want to be the one who takes her.",
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
    "Please check your answers. You can still change any of them, now or later in your account.",
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
