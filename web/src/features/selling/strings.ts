import { brand } from "@/domain/brand.ts";
import { formatCount, formatMinutes, pluralise } from "@/lib/format-count.ts";
import type { MentorSales } from "./model/course-offer.ts";
import type { Purchase } from "./model/purchase.ts";

/** For how long the law lets buyers change their minds. */
export const withdrawalDays = 14;

/** A sale in general, and what several screens say. */
export const sellingStrings = {
  frontPage: `${brand.name} home page`,
  signIn: "Sign in",
  yourCourses: "Your courses",
  backToYourCourses: "Back to your courses",
  loadingCourse: "Loading the course",
  notBought: "The course couldn't be bought. You haven't been charged. Try again in a moment.",
  saleFailed: "We couldn't load this course",
  ownedFailed: "We couldn't check whether you already have this course",
  noSale: "This course isn't on sale",
  noSaleHint:
    "The link may be wrong, or its mentor has stopped selling it. What you bought stays under Your courses.",
  saleEnded: "Sale ended",
  saleEndedTitle: "An administrator ended this sale",
  saleEndedHint: `Buyers keep the course and you keep what you earned. If you think it's a mistake, write to ${brand.supportEmail}.`,
  moveFailed: "We couldn't move you to the newer version.",
  aCourseBy: (mentor: string) => `A course by ${mentor}. One payment, yours for life.`,
  payFirst: "Your bank may ask you to approve the payment.",
  /** Before paying, as the law asks: when one may still change one's mind. */
  payingAccepts: {
    before: "By paying you accept the ",
    terms: "terms",
    between: ` and ask us to open the course at once. You have ${withdrawalDays} days to `,
    withdraw: "change your mind",
    after: " and get the full price back, even if you've started reading.",
  },
} as const;

/** The page of a course on sale. A piece before or after an element has the space between them. */
/** Who a course is for, by its difficulty; a subject stands in it where one is known. */
export function forWhom(difficulty: string, subject: string): string {
  const about = subject === "" ? "the subject" : `“${subject}”`;
  if (difficulty === "beginner") {
    return `People who are new to ${about}. You don't need any experience, just time for the exercises.`;
  }
  if (difficulty === "advanced") {
    return `People who have worked on ${about} for a while and want to go further. It assumes you know the basics.`;
  }
  return `People who've made a start on ${about} and want better results. You should know the basics.`;
}

export const salePageStrings = {
  mentorBefore: "A course by ",
  lessonCount: (lessons: number) => pluralise(lessons, "lesson"),
  minutes: formatMinutes,
  outcomes: "What you'll learn",
  forWhom: "Who it's for",
  rated: (average: number, count: number) =>
    `Members rate it ${average.toFixed(1)} out of 5 (${formatCount(count)} ratings)`,
  reviews: "What members say",
  reviewsNote:
    "The newest, whatever their stars. Everyone quoted finished the course and gave permission.",
  stars: (stars: number) => `${stars} out of 5 stars`,
  wholeLesson: "Show the whole lesson",
  lessLesson: "Show less",
  buyFor: (amount: string) => `Buy this course · ${amount}`,
  ready: "Ready to begin?",
  lessons: "Lessons",
  readFree: "Read it free",
  freeLesson: (title: string) => `Free lesson: ${title}`,
  freeLessonFilm: "This lesson also has a film, which comes with the course.",
  whatYouBuy: "What you buy",
  included: "Included",
  notIncluded: "Not included",
  members: {
    before: "Members read this course as part of their membership. ",
    link: "See the plans",
    after: ".",
  },
  refunds: "Refunds",
  buy: "Buy this course",
  onePayment: "One payment, yours for life",
  terms: (refundDays: number) =>
    `Refundable for ${refundDays} days. No subscription, no membership needed.`,
  whatItIs: `See what ${brand.name} is`,
} as const;

export const courseCheckoutStrings = {
  pageTitle: (course: string) => `Buy ${course}`,
  title: "Buy a course",
  intro: (mentor: string) => `By ${mentor}. One payment, yours for life.`,
  signedInAs: (email: string) => `Signed in as ${email}. You read the course with this account.`,
  backToCourse: "Back to the course",
  accountFirst: "Create an account first, so the course is there whenever you come back.",
  createAccount: "Create an account",
  memberTitle: "Included in your membership",
  member:
    "You can read this course in the library once you reach its section's level. There's nothing to pay.",
  toLibrary: "Go to the library",
  bought: "You've bought this course.",
  /** On Your courses, right after the payment. */
  paid: (title: string) => `Thank you. Your payment for “${title}” went through.`,
  read: "Read it",
  dueToday: "Due today",
  cardFormFailed: "The card form didn't load",
  cardFormLoading: "The card form is still loading. Try again in a moment.",
  cardIncomplete: "Enter your card number, expiry date and security code.",
  pay: (price: string) => `Pay ${price}`,
} as const;

export const yourCoursesStrings = {
  intro: "The courses you bought are yours for life, with or without a membership.",
  loadFailed: "We couldn't load your courses",
  loading: "Loading your courses",
  account: "Account",
  toMembership: "See your membership",
  emptyTitle: "You haven't bought a course yet",
  empty:
    "A course you buy on its mentor's page appears here at once. Courses included in a membership are in the library.",
  toLibrary: "Go to the library",
  toPlans: "See the plans",
  waiting: "Confirming payment",
  refunded: "Refunded",
  disputed: "Payment disputed",
  completed: (completed: number, lessons: number) =>
    `${completed} of ${pluralise(lessons, "lesson")} completed`,
  progress: (title: string) => `Progress in ${title}`,
  receipt: "Receipt",
  /** Said to screen readers only. */
  receiptFor: (title: string) => ` for ${title}`,
  startReading: "Start reading",
  continueReading: "Continue reading",
} as const;

/** Giving a course back within 14 days. */
export const giveBackStrings = {
  until: (day: string, amount: string) =>
    `You can return it until the end of ${day}, without giving a reason, and get ${amount} back.`,
  open: "Return this course",
  ask: (title: string) => `Return ${title}?`,
  consequence: (amount: string) =>
    `The course closes at once, and we refund ${amount} to the card you paid with. It usually takes 5 to 10 working days to show there.`,
  confirm: (amount: string) => `Return and refund ${amount}`,
  stay: "Keep the course",
  done: (amount: string) =>
    `You've returned the course. ${amount} is on its way back to your card.`,
  failed: "We couldn't process your return. Nothing is lost; please try again.",
} as const;

export const boughtCourseStrings = {
  closedTitle: "This course isn't open to you",
  closed: "You haven't bought it with this account, or the payment was refunded.",
  loadFailed: "We couldn't load the course",
} as const;

export const courseReceiptStrings = {
  providerReceipt: "The card provider's receipt",
  notFoundTitle: "Receipt not found",
  notFound: "It doesn't exist, or it belongs to another account.",
  loadFailed: "We couldn't load this receipt",
  loading: "Loading the receipt",
  print: "Print",
  title: "Receipt",
  billedTo: "Billed to",
  paidOn: "Paid on",
  course: "Course",
  paid: "Paid",
  card: "Card",
  refunded: "Refunded",
  net: "Paid after refunds",
  number: "Number",
} as const;

/** What the mentor sells. */
export const mentorSalesStrings = {
  title: "Selling",
  intro:
    "Sell a priced course to people who aren't members. Members still read it as part of their membership.",
  loadFailed: "We couldn't load your sales",
  loading: "Loading your sales",
  emptyTitle: "No priced course yet",
  empty: "Give a course a price in the studio and publish it. Then you can sell it from here.",
  toStudio: "Go to the studio",
  rules: "How it works",
  toPayable: "See every sale and what is payable",
  onSale: "On sale",
  paused: "Paused",
  notOnSale: "Not on sale",
  notPublished: "Not published",
  sell: "Sell this course",
  change: "Change",
  priceHint: "To sell it, give it a price between £1 and £5,000 in the studio.",
  pausedHint:
    "Nobody can buy it at the moment: the course is withdrawn or free, its subcategory is hidden, or your membership has ended.",
  figures: (title: string) => `Sales of ${title}`,
  sold: "Sold",
  takenBack: "Taken back",
  earned: "You earned",
} as const;

/** The form for the public page of a course. */
export const offerFormStrings = {
  name: (title: string) => `Sale of ${title}`,
  address: "Address of the page",
  addressWrong: "Use lower-case letters and digits, with hyphens between words.",
  addressTooShort: "Use at least 3 characters.",
  addressTooLong: "Use at most 80 characters.",
  outcomes: "What you'll learn",
  outcomesHint: "One per line, up to eight.",
  outcomesMissing: "Write at least one line.",
  outcomesTooMany: "Write at most eight lines.",
  outcomesTooLong: "Keep each line to 160 characters.",
  freeLesson: "Lesson everyone can read free",
  freeLessonMissing: "Choose a lesson.",
  onSale: "On sale",
  onSaleHint:
    "Shows your name, the syllabus and the free lesson to everyone. Buyers keep the course when you end the sale.",
  save: "Save",
  cancel: "Cancel",
  saved: "The sale page is saved.",
  ended: "The course is no longer on sale.",
  saveFailed: "It wasn't saved.",
} as const;

/** What is and is not part of what one buys. */
export const included = [
  "Every lesson of this course, for life, including any changes its mentor makes later",
  "Your progress, lesson by lesson",
  "A receipt for your records",
] as const;
export const notIncluded = [
  `A membership of ${brand.name}: its rooms, articles and other courses`,
  "Questions to the mentor, which members ask under a lesson",
  "A certificate, which members get when they finish",
] as const;

/** What a refund takes after the days in which the buyer's own button gives the course back: writing to us. */
export const laterRefundSentence = (days: number): string =>
  `After that, write to ${brand.supportEmail} within ${days} days of buying and we refund the full price to your card. The course then closes.`;

/** What a refund takes, on the page where one decides. */
export function refundSentence(days: number): string {
  const byButton = `Not for you? Press Return this course under Your courses within ${withdrawalDays} days of buying, and we refund the full price to your card.`;
  return days > withdrawalDays
    ? `${byButton} ${laterRefundSentence(days)}`
    : `${byButton} The course then closes.`;
}

/** What the state of a purchase means for the reader; null while all is well. */
export function purchaseNote({ state, refundedPence }: Purchase): string | null {
  switch (state) {
    case "waiting":
      return "We are waiting for your bank to confirm the payment. This page updates automatically.";
    case "refunded":
      return "We refunded the full price to your card, so this course is closed. You can buy it again at any time.";
    case "disputed":
      return "Your bank has disputed this payment. The course is closed until that is settled.";
    case "paid":
      return refundedPence > 0 ? "We refunded part of the price. The course stays open." : null;
  }
}

const percent = (basisPoints: number) => `${basisPoints / 100}%`;

/** The terms of selling in plain words. */
export function mentorRules(sales: MentorSales): readonly string[] {
  return [
    `You earn ${percent(sales.shareBasisPoints)} of what a buyer pays. It is pending for ${sales.pendingDays} days and then paid with your commissions. We take it back after a refund or a dispute.`,
    `A member whose link brought the buyer earns ${percent(sales.referralBasisPoints)}. That doesn't come out of your share.`,
    `Buyers can ask for their money back for ${sales.refundDays} days. They keep the course for life, even if you withdraw it or end the sale.`,
    "Buyers see the lessons and nothing else in the community, and you aren't told who they are.",
  ];
}

/** Giving a membership, and redeeming one. */
export const giftStrings = {
  title: "Gifts",
  intro: "Give someone a few months of membership, or redeem a code you were given.",
  loading: "Loading gifts",
  loadFailed: "We couldn't load the gifts",
  redeemTitle: "Redeem a code",
  redeemIntro:
    "Your membership starts at once, and you don't need a card. Nothing is charged when it ends.",
  code: "Gift code",
  codeMissing: "Enter the code you were given.",
  redeem: "Redeem",
  redeemFailed: "We couldn't redeem the code. Check your connection and try again.",
  redeemed: (plan: string, day: string) => `Your ${plan} membership is open until ${day}.`,
  onward: "Continue",
  refusals: {
    unknown: "We don't recognise this code. Check it and try again.",
    used: "This code has been used.",
    closed: "This code no longer works: its payment was refunded or disputed.",
    member: "You already have a membership. Keep the code: it doesn't expire.",
    admin: "Administrators don't need a membership. Give the code to someone else.",
  },
  buyTitle: "Give a membership",
  buyIntro:
    "One payment, no renewal. You get a code for one person, which works once and never expires.",
  plan: "Plan",
  months: "How long?",
  monthsOf: (months: number, price: string) =>
    `${months === 1 ? "1 month" : `${months} months`}, ${price}`,
  noOffers: "No plans are available as gifts at the moment.",
  notBought: "The gift couldn't be bought.",
  bought: "Thank you. Your code is below, and on its way by email.",
  another: "Give another one",
  accepts: {
    between: `. You have ${withdrawalDays} days to `,
    withdraw: "change your mind",
    after: " as long as the code hasn't been used: write to us, and we'll refund the full price.",
  },
  yours: "Your gifts",
  noGifts: "Gifts you buy appear here with their codes.",
  states: {
    waiting: "Confirming payment",
    unused: "Unused",
    used: "Used",
    closed: "Refunded",
  },
  boughtOn: (price: string, day: string) => `${price} on ${day}`,
  usedOn: (day: string) => `Used on ${day}`,
  copy: "Copy code",
  copyOf: (name: string) => `Copy code: ${name}`,
  copied: "The code was copied.",
  notCopied: "The code couldn't be copied. Select it and copy it by hand.",
} as const;
