import { brand, formatPence } from "@/domain/brand.ts";
import {
  type MonthlyPrices,
  formatRate,
  type AffiliateTerms,
  type Commission,
  type CommissionState,
} from "./model/affiliate.ts";

export const affiliateStrings = {
  title: "Affiliates",
  intro: "Invite people with your link and earn a share of what they pay.",
  loading: "Loading your link",
  loadFailed: "We couldn't load your link",
  lockedTitle: "Your link opens with your membership",
  locked: "Join a plan and finish the onboarding, then share your link from here.",
  seeMembership: "See your membership",
  link: "Your link",
  linkClosed:
    "Your membership is off, so new visits through your link don't count. What you've already earned stays yours.",
  linkQrCode: "QR code of your link",
  shareText: "A text to share",
  copyText: "Copy text and link",
  textCopied: "The text was copied with your link.",
  textNotCopied: "The text couldn't be copied. Select it and copy it by hand.",
  copyLink: "Copy link",
  /** Said to screen readers after `copyLink`. */
  copyLinkTo: (course: string) => ` to ${course}`,
  linkCopied: "The link was copied.",
  courseLinkCopied: "The link to the course was copied.",
  figures: "What your link brought",
  visits: "Visits",
  signUps: "Sign-ups",
  members: "Members",
  pending: "Pending",
  payable: "Payable",
  payableNegative: "Set against what you earn next",
  paid: "Paid to you",
  courses: "Courses you can recommend",
  coursesIntro: (rateBasisPoints: number) =>
    `People can buy these without a membership. When someone who came through your link buys one, you earn ${formatRate(rateBasisPoints)} of the price.`,
  commissions: "Commissions",
  commissionColumns: ["Payment", "State", "Earned"],
  commissionsLoading: "Loading your commissions",
  commissionsFailed: "We couldn't load your commissions",
  noCommissionsTitle: "Nothing earned yet",
  noCommissions:
    "When someone who joined through your link pays, or one of your courses is sold, it appears here within minutes.",
  pendingUntil: (day: string) => `until ${day}`,
  showOlder: "Show older",
  months: "Monthly statement",
  print: "Print the statement",
  statement: `${brand.name} affiliate statement`,
  period: (first: string, last: string) => (first === last ? first : `${first} to ${last}`),
  monthColumns: ["Month", "Earned", "Taken back", "Paid"],
  transfers: "Transfers to you",
  transferColumns: ["Transferred", "Reference", "Amount"],
  rules: "How it works",
} as const;

/** What a visitor reads who came by a member's link. */
export const invitationStrings = {
  title: "A member invited you",
  courseTitle: "A member recommends a course",
  intro: `${brand.name} is a paid membership for people who want to earn more and are willing to work for it.`,
  question: (isForCourse: boolean) =>
    `May we remember in this browser that you came through their link? If you ${isForCourse ? "make an account" : "join"} within 60 days, the member earns a share of what you pay. You pay the same either way, and the member doesn't learn who you are.`,
  agree: "Remember and continue",
  decline: "Continue without",
  unknownLink: "This link is no longer valid. You can join without it.",
  notRemembered: "We couldn't remember it.",
} as const;

export const stateNames: Readonly<Record<CommissionState, string>> = {
  pending: "Pending",
  payable: "Payable",
  taken_back: "Taken back",
};

/** What a line of the ledger was earned from. */
export function earnedFrom({ kind, courseTitle, invoiceNumber }: Commission): string {
  if (kind === "membership") return invoiceNumber ?? "Account deleted";
  const course = courseTitle ?? "a course";
  return kind === "course_sale" ? `Your course: ${course}` : `Your link: ${course}`;
}

/** What one member brings in a month, by the plan they choose: `£10 a month for a student, £20 for a mentor`. */
export function earningHeadline(
  { rateBasisPoints }: AffiliateTerms,
  { student, mentor }: MonthlyPrices,
): string {
  if (student === null || mentor === null)
    return `Earn ${formatRate(rateBasisPoints)} of what members you invite pay`;
  const share = (pence: number) => formatPence(Math.floor((pence * rateBasisPoints) / 10_000));
  return `Earn ${share(student)} a month for each student, ${share(mentor)} for each mentor`;
}

/** What a member may send to a friend as it is; the link stands at its end. */
export function textToShare(link: string, { student }: MonthlyPrices): string {
  const price = student === null ? "" : `, from ${formatPence(student)} a month`;
  return `I'm a member of ${brand.name}: people who want to earn more, and say openly what they try and how it goes. Courses, mentors and chat rooms${price}, and you can cancel any time. Have a look: ${link}`;
}

/** One sentence about what a link earns. */
export function earningSentence({ rateBasisPoints, commissionMonths }: AffiliateTerms): string {
  return `You earn ${formatRate(rateBasisPoints)} of every payment that people who join through your link make in their first ${commissionMonths} months.`;
}

/** The rules in plain words. */
export function ruleSentences(terms: AffiliateTerms): readonly string[] {
  return [
    `Visitors are asked whether we may remember that they came through your link. If they agree and sign up within ${terms.attributionDays} days, they count as yours. The first link counts.`,
    `A commission is pending for ${terms.pendingDays} days and payable after that. If the payment is refunded or disputed, we take the commission back, even if it has been paid out.`,
    `We transfer what is payable once it reaches ${formatPence(terms.leastPayoutPence)}. Every transfer is listed here with its reference.`,
    "Your own accounts, cards that another account used before, and people who joined before their visit earn nothing.",
    "You never see who joined. If you delete your account, you give up anything not yet paid out.",
  ];
}
