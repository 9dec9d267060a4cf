import { formatCount, pluralise } from "@/lib/format-count.ts";

/** The pages themselves. */
export const dashboardStrings = {
  welcome: "Welcome",
  welcomeBack: "Welcome back",
  studentIntro: "Your progress so far, and your next step.",
  mentorIntro: "Your own progress through the levels, and the rooms where members ask questions.",
  adminIntro: "How the community is doing, and what needs your attention.",
  loading: "Loading the overview",
  loadFailed: "We couldn't load the overview",
} as const;

/** What stands first on a member's dashboard. */
export const todayStrings = {
  title: "Today",
  loading: "Loading what is new for you",
  failed: "What's new for you couldn't be loaded",
  nextStep: "Your next step",
  allDone: "You have completed all four levels.",
  seeProgress: "See your progress",
  waiting: "Waiting for you",
  nothingWaits:
    "Nothing is waiting for you. Messages, replies, mentions and answers will appear here.",
  questions: (count: number) =>
    `${pluralise(count, "question")} ${count === 1 ? "is" : "are"} waiting for you`,
  moreWaiting: (count: number) => `${formatCount(count)} more in your notifications`,
  guarantee: "Your guarantee",
  writeStart: "Write down what you earn a month",
  /** @param days left, at least 1. */
  startDays: (days: number, until: string) =>
    `${days === 1 ? "Last day" : `${pluralise(days, "day")} left`}: by ${until}. Without it the guarantee doesn't apply.`,
  pact: "Your pact",
  noPact: "One thing to do by a set day, with members who will ask about it.",
  continue: "Continue",
  lesson: (course: string, percent: number) => `Lesson in ${course}, ${percent}% done`,
  article: (minutes: number) => `Article, ${minutes} min`,
  rooms: "In your rooms",
  you: "You",
} as const;

/** What a mentor's Home begins with. */
export const mentorHomeStrings = {
  title: "Your readers and writing",
  answer: "Answer them in your studio",
  draft: (wasReturned: boolean, changed: string) =>
    `${wasReturned ? "Sent back with comments" : "Draft"}, changed ${changed}`,
  untitled: "Untitled",
  begin: "Write an article or a course",
  beginNote: "You have no drafts",
  nobody: "Nobody has read you this week yet",
  readers: (count: number) =>
    `${count === 1 ? "1 person" : `${formatCount(count)} people`} read you this week`,
  figures: "See your analytics",
  /** Before the title of a course. */
  stop: (module: number) => `Most stop at module ${module} of `,
  failed: "Your readers and drafts couldn't be loaded",
} as const;

/** What an owner asks of a month. */
export const ownerStrings = {
  loading: "Loading the month",
  failed: "We couldn't load the month",
  money: "Money this month",
  /** @param month such as `March 2026`. */
  soFar: (month: string) => `Net in ${month} so far.`,
  monthBefore: (amount: string) => `The month before: ${amount}.`,
  toMoney: "See the money",
  newest: "Newest accounts",
  toMembers: "See all members",
  nobody: "Nobody has joined yet.",
} as const;

/** The list that a new student's Home begins with. */
export const firstDaysStrings = {
  title: "Your first days",
  /** Said before what is done. */
  done: "Done: ",
  hello: "Say hello in General",
  helloHint: "One or two sentences: who you are, and what you're working on.",
  toGeneral: "See the answers",
  rooms: "Open your rooms",
  roomsHint: (opened: number, needed: number) =>
    `${formatCount(opened)} of ${formatCount(needed)} opened. Each has its own purpose.`,
  /** Said once the greeting was sent from here: to write is not yet to open. */
  firstRoomHint: (needed: number) =>
    `Your message is in General. Open the room to see the answers: it's the first of ${formatCount(needed)}.`,
  submission: "Share your first submission",
  submissionHint: "What you tried this week, and how it went. A failure counts as much.",
} as const;

/** On the cards of the sections, and of the services below them. */
export const sectionStrings = {
  title: "Sections",
  chats: "Chats",
  learning: "Learning",
  level: (level: number) => `Level ${level}`,
  opensAt: (level: number) => `Opens at Level ${level}`,
  /** For mentors and administrators, whose dashboards don't link to Business and Wealth. */
  inTheMenu: "In the menu, under Library",
  services: "Services",
  directory: "Directory",
  collaborate: "Collaborate",
  /** A mark follows. */
  joinElites: "Join Elites ",
  comingSoon: "Coming Soon",
} as const;

export const mentorToolsStrings = {
  title: "For mentors",
  creation: "Course and article creation",
  analytics: "Student analytics",
  selling: "Selling courses",
} as const;

/** The member's own figures. */
export const profileCardStrings = {
  noOccupation: "No occupation added",
  figures: "Your figures",
  likes: "Likes received",
  lessons: "Lessons completed",
  links: "Affiliate links",
  profits: "Profits",
  failed: "Your figures couldn't be loaded.",
  retry: "Try again",
} as const;

export const helpStrings = {
  title: "Help",
  intro: "Most questions are answered within one working day.",
  /** The address stands between the two. */
  writeBefore: "Write to ",
  writeAfter: " and tell us what you were trying to do. A screenshot helps.",
  keysBefore: "Press ",
  keys: "?",
  keysAfter: " on any page for the keyboard shortcuts.",
  membership: "Membership and payments",
  identity: "Identity verification",
  account: "Email, password and your data",
} as const;

/** The figures of the community on the administrator's dashboard. */
export const overviewStrings = {
  community: "Community",
  communityLabel: "Community figures",
  paying: "Paying members",
  payingNote: (students: number, mentors: number, onTrial: number) =>
    `${pluralise(students, "student")}, ${pluralise(mentors, "mentor")}; ${formatCount(onTrial)} more on trial`,
  /** @param change such as `2 more than 30 days ago (7)`. */
  withTrials: (members: number, change: string) => `${formatCount(members)} with trials: ${change}`,
  revenue: "Monthly revenue",
  revenueNote: "VAT included, before discounts",
  revenueHidden: "Needs your second factor",
  churn: "Churn",
  churnNote: "Of the members 30 days ago",
  /** @param day 30 days after the first member joined, while that is to come. */
  churnUnknown: (day: string | null) =>
    day === null
      ? "No members 30 days ago"
      : `Known from ${day}, 30 days after the first member joined`,
  churnBefore: (share: string) => `${share} in the 30 days before`,
  churnNotBefore: "No members 60 days ago to compare with",
  joined: "New members",
  lost: "Lost members",
  lastDays: "Last 30 days",
  cancelling: "Cancelling at period end",
  byStatus: "Accounts by membership",
  byLevel: "Members by level",
  noLevel: "Not onboarded yet",
  share: (count: number, total: number) => `${count} of ${total}`,
  funnel: "From sign-up to onboarding",
  step: "Step",
  all: "All",
  /** In the order of a funnel's places. */
  steps: ["Signed up", "Joined a plan", "Finished onboarding"],
} as const;

/** What needs an administrator: the queues, and what was not delivered. */
export const attentionStrings = {
  title: "Needs you",
  allDone: "Nothing is waiting for a decision, and everything was delivered.",
  queuesLabel: "Queues",
  oldest: (ago: string) => `Oldest: ${ago}`,
  delivery: "Delivery",
  webhooks: (failed: number) =>
    `${pluralise(failed, "webhook")} failed in the last 7 days and not applied since. The card provider sends them again.`,
  emails: (failed: number) => `${pluralise(failed, "email")} given up in the last 7 days.`,
  retrying: (emails: number) => `${pluralise(emails, "email")} not accepted yet and tried again.`,
  exports: (failed: number) =>
    `${pluralise(failed, "data export")} failed in the last 7 days and not repeated since.`,
} as const;

/** How the machines are that run the product. */
export const lightStrings = {
  title: "System",
  none: "No server has reported in the last day.",
  silent: (ago: string) => `Last heard from ${ago}. It may be frozen or switched off.`,
  /** Before what is wrong, for those who don't see the colour. */
  states: { ok: "Working", warning: "Warning", failing: "Failing" } as Readonly<
    Record<string, string>
  >,
  parts: {
    database: "Database",
    disk: "Disk",
    jobs: "Scheduled jobs",
    mail: "Email",
    "card provider": "Card provider",
    backups: "Backups",
    changes: "Live updates",
    replica: "Read replica",
    redis: "Redis",
  } as Readonly<Record<string, string>>,
} as const;
