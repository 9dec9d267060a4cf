import { adminSecondFactorDue } from "@/lib/error-codes.ts";
import { messageOf, toAppError, tryAgain } from "@/lib/errors.ts";
import { formatCount, pluralise } from "@/lib/format-count.ts";

export const settingsStrings = {
  title: "Settings",
  intro: "Every change is in the audit log.",
  parts: "Parts of the settings",
  levels: "Levels",
  plans: "Plans",
  emails: "Emails",
  legal: "Legal",
  landing: "Front page",
  secondFactorTitle: "These settings need a second factor",
  secondFactorPurpose: "change what members reach or read",
} as const;

/** What each level asks for. */
export const levelSettingsStrings = {
  loadFailed: "We couldn't load the requirements",
  table: "Level requirements",
  level: "Level",
  asksFor: "Asks for",
  available: "Available",
  tooFew: (available: number) => `${available}, too few`,
  change:
    "A change applies from each member's next action. Nobody loses a level they have reached.",
  emptyTitle: "No requirements",
  empty: "Without requirements no level can be completed.",
  rowLabel: (level: string, asked: string) => `Level ${level}: ${asked}`,
  panelTitle: (level: string) => `Level ${level}`,
  today: (asked: string) => `Asks for ${asked} today.`,
  saved: (level: number, asked: string) => `Level ${level} now asks for ${asked}.`,
  figure: "How many",
  figureWrong: "Enter a whole number from 1 to 10,000.",
  meaning: "What it means",
  total: (before: number, after: number) =>
    before === after
      ? `The overall total stays ${formatCount(before)}.`
      : `The overall total goes from ${formatCount(before)} to ${formatCount(after)}.`,
  /** @param today how many would complete it with the figure of today; null when it is the same. */
  completing: (members: number, ready: number, today: number | null) =>
    `${pluralise(members, "member")} at this level. ${formatCount(ready)} would complete it with their next action${today === null ? "" : ` (${formatCount(today)} today)`}.`,
  countFailed: "We couldn't count the members it concerns. You can still save.",
  counting: "Counting members…",
  reached: "Nobody loses a level they have reached.",
  outOfReachTitle: "Members couldn't complete this level",
  outOfReach: (available: string) =>
    `There are only ${available}. Ask for fewer, or add more first.`,
  save: "Save requirement",
} as const;

export const planSettingsStrings = {
  loadFailed: "We couldn't load the plans",
  loading: "Loading the plans",
  price: (amount: string, interval: string) => `${amount} a ${interval}`,
  onSale: "On sale",
  notOnSale: "Not on sale",
  members: (members: number, atFormerPrice: number) =>
    atFormerPrice > 0
      ? `${pluralise(members, "member")}, ${atFormerPrice} of them at a former price`
      : pluralise(members, "member"),
  priceId: "Price at the card provider:",
  provider: "Link to the card provider",
  lastEvent: "Last event received",
  lastCheck: "Last comparison of members",
  never: "Never",
  noEvent:
    "No event has arrived yet. If members have paid, check the address and the secret of the provider's webhook.",
} as const;

/** Changing what a plan is sold for. */
export const planPriceStrings = {
  newMonthly: "New monthly price",
  newYearly: "New yearly price",
  addYearly: "Add a yearly price",
  retire: "Stop selling by the year",
  payers: (members: number) => pluralise(members, "member"),
  until: (day: string) => `On sale until ${day}.`,
  unknownAmount: "A former price",
  title: (plan: string, task: "month" | "year" | "retire", hasYearly: boolean) => {
    if (task === "retire") return `Stop selling ${plan} by the year`;
    if (task === "month") return `New monthly price of ${plan}`;
    return hasYearly ? `New yearly price of ${plan}` : `Add a yearly price to ${plan}`;
  },
  amount: (interval: string) => `Price for a ${interval}`,
  amountHint: "In pounds, with VAT.",
  amountWrong: "Enter an amount between £1 and £100,000.",
  meaning: "What happens",
  newMembers: (task: "month" | "year" | "retire", amount: string | null) => {
    if (task === "retire") return "From now on members join and switch by the month only.";
    const price = amount ?? "the new price";
    return `From now on members who join or switch pay ${price} a ${task}.`;
  },
  keep: (members: number) =>
    members === 0
      ? "Nobody pays the present price. It stays on record."
      : `${pluralise(members, "member")} on the present price ${members === 1 ? "keeps" : "keep"} it, with every renewal, until they switch or leave.`,
  frontPage:
    "The front page names the new price within seconds, without a price that is crossed out.",
  terms:
    "The terms and the refund page speak of months. Publish new versions of them under Legal that name the year too.",
  reason: "Reason",
  reasonHint: "For the audit log.",
  reasonMissing: "Say why.",
  confirm: (task: "month" | "year" | "retire", amount: string | null) => {
    if (task === "retire") return "Take Off Sale";
    return amount === null ? "Put on Sale" : `Sell for ${amount} a ${task}`;
  },
  cancel: "Cancel",
  added: (amount: string, interval: string) => `On sale for ${amount} a ${interval}`,
  retired: "No longer on sale by the year",
} as const;

/** Why a price was not put on sale, without an answer that says it. */
export const planPriceRefusals = {
  unanswered:
    "We don't know whether the price was made. Try again: the same price isn't made twice.",
} as const;

/** Why a setting was not saved. The database's own sentences say what is wrong with a figure or a text. */
export function describeSettingError(error: unknown): string {
  if (toAppError(error).code === adminSecondFactorDue) {
    return "Enter the code of your second factor first, on your account page.";
  }
  return messageOf(error, `Your change wasn't saved. ${tryAgain}`);
}

export const emailSettingsStrings = {
  loadFailed: "We couldn't load the emails",
  table: "Emails",
  name: "Email",
  subject: "Subject",
  texts: "Texts",
  default: "Default",
  changed: (texts: number) => `${texts} changed`,
  emptyTitle: "No emails",
  empty: "The product sends no emails.",
  note: "Plain text. It is sent in the product's look, and shown below with sample data.",
  mayContain: (placeholders: string) => `May contain ${placeholders}.`,
  restoreDefault: (label: string) => `Use the default ${label.toLowerCase()}`,
  save: "Save texts",
  saved: "The texts are saved. The next email uses them.",
  preview: "Preview",
  previewSubject: "Subject:",
  greeting: "Hello Ada,",
  because: (reason: string) => `You get this email because ${reason}`,
} as const;

/** How the e-mails are called in the list. */
export const emailNames: Readonly<Record<string, string>> = {
  welcome: "Welcome",
  receipt: "Receipt",
  payment_failed: "Payment failed",
  card_expiring: "Card expires soon",
  trial_ending: "Free days end soon",
  plan_changed: "Plan changed",
  membership_cancelled: "Membership cancelled",
  membership_ended: "Membership ended",
  membership_withdrawn: "Membership withdrawn",
  payment_refunded: "Payment refunded",
  course_receipt: "Course: receipt",
  course_refunded: "Course: refunded",
  course_disputed: "Course: payment disputed (to the buyer)",
  course_dispute_won: "Course: dispute won",
  payment_disputed: "Payment disputed (to the member)",
  dispute_won: "Dispute won",
  dispute_opened: "Dispute opened (to administrators)",
  guarantee_granted: "Guarantee: claim granted",
  guarantee_declined: "Guarantee: claim declined",
  guarantee_baseline: "Guarantee: where the member starts",
  guarantee_check_in: "Guarantee: check-in due",
  guarantee_claim_open: "Guarantee: a claim can be made",
  digest: "Digest of unread notifications",
  identity_approved: "Identity approved",
  identity_rejected: "Identity rejected",
  identity_attempts_reset: "Identity may be sent again",
  account_suspended: "Account suspended",
};

/** How the texts of an e-mail are called; others are paragraphs by their own name. */
export function emailTextLabel(key: string): string {
  if (key === "subject") return "Subject";
  if (key === "heading") return "Heading";
  return `Paragraph: ${key}`;
}

/** Who sells here, and the terms, the privacy notice and the refund terms. */
export const legalSettingsStrings = {
  loadFailed: "We couldn't load this",
  loading: "Loading who sells here",
  business: "Who sells here",
  businessIntro:
    "The law asks a seller to say who they are. It stands under the terms, on every receipt and in every email. Leave empty what you don't have.",
  fields: {
    legalName: "Legal name",
    address: "Address",
    companyNumber: "Company number",
    vatNumber: "VAT number",
  },
  saveBusiness: "Save",
  businessSaved: "Saved. Receipts and emails say it from now on.",
  texts: "What members accept",
  textsIntro:
    "Members accept the terms in force when they pay; the version and the time are kept. Have a lawyer read your changes.",
  version: (version: number, day: string) => `Version ${version}, in force since ${day}`,
  edit: "Edit",
  editLabel: (name: string) => `Edit ${name}`,
  editTitle: (name: string) => name,
  editHint: "What you publish is a new version. Earlier versions are kept.",
  body: "Text, in Markdown",
  summary: "What changed",
  summaryHint: "One sentence that members read in their bell and above the text.",
  summaryMissing: "Say what changed. Members read it.",
  preview: "Preview",
  publish: "Publish this version",
  published: "Published. Every member is told.",
  ask: "Publish this version?",
  consequence: "It is in force at once, and every member is told.",
  keepEditing: "Keep editing",
} as const;

export const vatSettingsStrings = {
  loadFailed: "We couldn't load the VAT setting",
  loading: "Loading the VAT setting",
  title: "VAT",
  intro:
    "Prices stay as they are and include the VAT. While it's charged, every payment gets a VAT invoice and every refund a credit note. A change counts for payments from now on.",
  mode: "How VAT is charged",
  modes: {
    none: "No VAT",
    fixed: "A fixed rate, included in the price",
    stripe_tax: "Stripe Tax, by the member's country",
  },
  hints: {
    none: "For a seller who isn't registered for VAT.",
    fixed: "For a seller registered in one country.",
    stripe_tax:
      "Members choose their country when they pay. Set Stripe Tax up in Stripe's dashboard first, with your registrations, and make the prices tax inclusive there.",
  },
  rate: "Rate in per cent",
  rateOfCourses: "For courses sold on their own, which Stripe Tax doesn't work out.",
  rateWrong: "Enter a rate between 0.01 and 50.",
  save: "Save VAT",
  saved: "Saved. It counts for payments from now on.",
} as const;

export const billingRulesStrings = {
  loadFailed: "We couldn't load these rules",
  loading: "Loading these rules",
  title: "Withdrawals, reminders, failed payments and pauses",
  intro:
    "Members can withdraw within 14 days, from a membership and from a course they bought. Say the same under Refunds.",
  refund: "After withdrawing from a membership",
  refundHint: "A course is always refunded in full.",
  full: "Refund everything",
  proportion: "Refund the days that weren't used",
  days: "Days before a renewal that members are reminded",
  daysHint: "0 sends no reminder. One email for each renewal, with the amount and the way out.",
  grace: "Days of access after a payment failed",
  graceHint: "0 ends it at once. It counts for payments that fail from now on.",
  pause: "Months a year that members may pause",
  pauseHint: "In any twelve months; 0 lets nobody pause. At most three at a time.",
  pauseWrong: "Enter a whole number from 0 to 12.",
  daysWrong: "Enter a whole number from 0 to 30.",
  save: "Save rules",
  saved: "Saved.",
} as const;

/** Which form of the card provider members pay in. */
export const paymentFormStrings = {
  title: "How members pay",
  loadFailed: "We couldn't load how members pay",
  loading: "Loading how members pay",
  wallets: "Apple Pay, Google Pay and Link",
  hint: "Members choose one of them or a card when they join, buy a course or change their card. In Stripe's dashboard, first switch them on under Payment methods and register this site's domain, or members see the card alone. Free days always need a card.",
  save: "Save how members pay",
  turnedOn: "Members can pay with a wallet from now on.",
  turnedOff: "Members pay by card from now on.",
} as const;

/** The words of the landing page. */
export const landingSettingsStrings = {
  loadFailed: "We couldn't load the front page's words",
  loading: "Loading the front page's words",
  words: "What visitors read first",
  intro: "You change these words here, look at them, and publish.",
  unchanged: "Nothing has been changed so far.",
  version: (version: number, day: string) => `Version ${version}, shown since ${day}.`,
  fields: {
    headline: "Headline",
    lead: "Text below the headline",
    host: "Host",
    about: "About the host",
  },
  emptyIsOurs: "Leave it empty for the words the product comes with.",
  hostHint:
    "An administrator, with the name, occupation and picture of their profile. They change those on their account page.",
  nobody: "Nobody",
  aboutHint: "Plain text. A blank line begins a new paragraph.",
  publish: "Publish",
  published: "Published. Visitors read it from now on.",
  ask: "Publish these words?",
  consequence:
    "Visitors read them at once. Earlier versions are kept, and the change is in the audit log.",
  keepEditing: "Keep editing",
  preview: "Preview",
  outcomes: "Members' outcomes",
  outcomesIntro:
    "The newest three submissions that you featured and whose authors agreed. Feature one in its menu; only its author can agree, with “Show to visitors” in the same menu, and can take it back at any time.",
  noOutcomes: "No outcomes are shown. The section is left out until there is one.",
  outcome: (title: string, name: string) => `“${title}”, ${name}`,
  unanswered: (count: number) =>
    count === 1
      ? "1 featured submission isn't shown, because its author hasn't agreed."
      : `${formatCount(count)} featured submissions aren't shown, because their authors haven't agreed.`,
  toSubmissions: "Go to the submissions",
  open: "Open the front page",
} as const;
