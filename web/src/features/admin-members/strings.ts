import { formatCount, pluralise } from "@/lib/format-count.ts";
import type { MembershipStatus } from "./model/member.ts";

export { membershipNames } from "@/domain/membership-status.ts";

/** Colours of the badges. */
export const membershipColours = {
  paying: "good",
  complimentary: "info",
  past_due: "warn",
  paused: "plain",
  lapsed: "plain",
  never_paid: "plain",
} as const satisfies Record<MembershipStatus, string>;

/** What the list, its filters and the panel call the same. */
export const memberFields = {
  member: "Member",
  membership: "Membership",
  level: "Level",
  role: "Role",
  joined: "Joined",
  suspended: "Suspended",
  notStarted: "Not started",
} as const;

export const membersPageStrings = {
  title: "Members",
  intro:
    "Every account. Open one to see its membership, progress and history, or to make a change.",
  loadFailed: "We couldn't load the members",
  noMatchTitle: "No members match",
  noMatch: "Try less of the name, or clear the filters.",
  clearFilters: "Clear filters",
  emptyTitle: "No members yet",
  empty: "Accounts appear here as soon as people sign up.",
} as const;

export const memberFilterStrings = {
  label: "Find members",
  search: "Search",
  searchHint: "Part of a name or address",
  any: "Any",
  more: "More filters",
  joinedFrom: "Joined from",
  joinedTo: "Joined to",
} as const;

/** The head of the panel, and the facts of the account. */
export const memberPanelStrings = {
  absent: "This account doesn't exist.",
  message: "Message",
  refund: "Refund a payment",
  payments: "Payments",
  accountTitle: "Account",
  actsTitle: "Act on this account",
  loadFailed: "We couldn't load this member",
  loading: "Loading the member",
  suspendedUntilLifted: "Suspended until it is lifted",
  suspendedUntil: (date: string) => `Suspended until ${date}`,
  reasonUnknown: "The reason is not in the audit log.",
  email: "Email",
  emailValue: (email: string, isConfirmed: boolean) =>
    `${email}${isConfirmed ? "" : " (not confirmed)"}`,
  occupation: "Occupation",
  onboarding: "Onboarding",
  onboardingState: (isDone: boolean) => (isDone ? "Finished" : "Not finished"),
  lastSignIn: "Last sign-in",
  signedInOn: "Signed in on",
  devices: (count: number) => pluralise(count, "device"),
  publishes: "Publishes",
  publishesHow: (isTrusted: boolean) => (isTrusted ? "Without a review" : "After a review"),
  secondFactor: "Second factor",
  secondFactorState: (isOn: boolean) => (isOn ? "On" : "Off"),
} as const;

export const memberBillingStrings = {
  plan: "Plan",
  planUnknown: "Not sold here",
  subscription: "Subscription",
  periodEnd: (endsWithPeriod: boolean) => (endsWithPeriod ? "Ends" : "Renews"),
  changesTo: "Changes to",
  pause: "Pause",
  pauseSpan: (from: string, until: string) => `${from} to ${until}`,
  card: "Card",
  paid: "Paid",
  refunded: "Refunded",
  records: "Latest payments",
  recordNames: { payment: "Payment", refund: "Refund", dispute: "Dispute" },
} as const;

export const memberProgressStrings = {
  title: "Progress",
  level: (number: number, name: string) => `Level ${number} · ${name}`,
  completed: (date: string) => `Completed ${date}`,
  requirementNames: {
    rooms: "Chat rooms opened",
    submissions: "Learning submissions",
    articles: "Articles read",
    courses: "Courses completed",
    engagements: "Engagements",
  },
  countOf: (count: number, needed: number) => `${formatCount(count)} of ${formatCount(needed)}`,
  evidenceGone: "No longer there",
} as const;

export const memberConductStrings = {
  submissions: (count: number) => `Submissions · ${count}`,
  noSubmissions: "Nothing submitted yet.",
  likes: (count: number) => pluralise(count, "like"),
  comments: (count: number) => pluralise(count, "comment"),
  featured: " · Featured",
  reports: (received: number, made: number) =>
    `Reports · ${received} about, ${made} by this member`,
  noReports: "No reports.",
  /** Before the name of the other member. */
  reported: (isAboutMember: boolean) => (isAboutMember ? "Reported by " : "Reported "),
  deletedAccount: "a deleted account",
  waiting: "Waiting",
  decisionNames: { keep: "Kept", remove: "Removed", clear: "Cleared" },
} as const;

export const memberIdentityStrings = {
  title: "Identity",
  flagged: "Five documents were rejected. A decision is waiting under Queues.",
  empty: "No document sent yet.",
  states: { pending: "Waiting", approved: "Approved", rejected: "Rejected" },
} as const;

export const memberNotesStrings = {
  title: "Notes",
  note: "New note",
  noteHint:
    "For administrators. It can't be changed, and the member's data export holds it without your name.",
  noteMissing: "Write the note first.",
  add: "Add note",
  empty: "No notes yet.",
  formerAuthor: "A former administrator",
} as const;

export const memberAuditStrings = {
  title: "Audit log",
  empty: "Nothing recorded yet.",
  entries: "Audit entries",
  system: "The system",
  all: "Everything about this member in the audit log",
} as const;

/** The form that confirms an act. */
export const memberActionFormStrings = {
  duration: "How long",
  durationOpen: "Until it is lifted",
  durations: { day: "1 day", week: "7 days", month: "30 days", quarter: "90 days" },
  reason: "Reason",
  reasonHint: "For the record, with your name. The member doesn't see it.",
  reasonMissing: "Say why. It is recorded with your name.",
  cancel: "Keep things as they are",
} as const;

/** What can be done to a member. `act` is on the button that opens the form, and on the one that does it without `confirm`. */
export const memberActionsStrings = {
  ownAccount: "This is your own account. Another administrator has to act on it.",
  suspend: {
    act: "Suspend",
    adminFirst: "Take the administrator role away first",
    title: (name: string) => `Suspend ${name}`,
    effect: "They are signed out everywhere at once and can't sign in. What they wrote stays.",
    mentorEffect:
      "Until the suspension is lifted, their courses can't be bought and their scheduled drafts aren't published. Buyers keep what they bought.",
    stopsRenewal: "Stop the renewal, so that the next period is not charged",
    reasonHint: "The member gets it by email, and it is recorded with your name.",
    confirm: "Suspend member",
    done: (name: string) => `${name} is suspended.`,
  },
  stopRenewal: {
    act: "Stop renewal",
    title: (name: string) => `Stop the renewal for ${name}`,
    effect:
      "The membership ends with its current period, and the next one is not charged. The member is told by email. Unless they are suspended, they can undo it.",
    done: (name: string) => `The membership of ${name} doesn't renew.`,
  },
  lift: {
    act: "Lift suspension",
    title: (name: string) => `Lift the suspension of ${name}`,
    effect: "They can sign in again. Their level and progress are as they were.",
    done: (name: string) => `${name} can sign in again.`,
  },
  signOut: {
    act: "Sign out everywhere",
    title: (name: string) => `Sign ${name} out everywhere`,
    effect: "Every device has to sign in again. They can do so at once.",
    done: (name: string) => `${name} is signed out everywhere.`,
  },
  removePicture: {
    act: "Remove picture",
    title: (name: string) => `Remove the picture of ${name}`,
    effect: "Their initials are shown instead. They can upload another picture.",
    reasonHint: "The member will see this, but not who wrote it. It is recorded with your name.",
    done: (name: string) => `The picture of ${name} is removed.`,
  },
  trust: {
    act: "Trust as a mentor",
    title: (name: string) => `Let ${name} publish without a review`,
    effect:
      "Their articles and courses are in the library as soon as they publish them. What an administrator withdrew in the console is still reviewed.",
    confirm: "Trust this mentor",
    done: (name: string) => `${name} publishes without a review.`,
  },
  review: {
    act: "Require a review",
    title: (name: string) => `Review what ${name} publishes`,
    effect:
      "From now on an administrator reviews what they write, and what they have scheduled, before it's published. What is already published stays.",
    done: (name: string) => `What ${name} writes is reviewed again.`,
  },
  makeAdmin: {
    act: "Make administrator",
    title: (name: string) => `Make ${name} an administrator`,
    effect: (hasSecondFactor: boolean) =>
      `They can do all you can: read members' data and documents, suspend, refund and appoint.${hasSecondFactor ? "" : " They have to set up a second factor before any of it opens."}`,
    done: (name: string) => `${name} is an administrator.`,
  },
  removeAdmin: {
    act: "Remove administrator",
    title: (name: string) => `Remove ${name} as an administrator`,
    effect: "The console closes for them at once. They keep what their own membership gives.",
    done: (name: string) => `${name} is no longer an administrator.`,
  },
} as const;

/** What the running subscription does during a suspension, for the administrator who decides about one. */
export function subscriptionWarning(
  subscription: { readonly plan: string | null; readonly endsWithPeriod: boolean },
  periodEnds: string | null,
): string {
  const plan = subscription.plan ?? "The subscription";
  return subscription.endsWithPeriod
    ? `${plan} is not stopped by this. It ends ${periodEnds === null ? "with its period" : `on ${periodEnds}`}, as the member chose.`
    : `${plan} is not stopped by this. It renews${periodEnds === null ? "" : ` on ${periodEnds}`} and is paid, and the member can't cancel it while suspended. Stop the renewal if they should not pay, and refund under Money what was paid.`;
}

/** Why an act was not done, by the code of the answer. */
export const memberActionProblems: Readonly<Record<string, string>> = {
  FF342: "This member no longer has a picture.",
  FF344: "Give a reason of at most 500 characters.",
  FF005: "Your second factor is no longer on in this session. Sign in again, then repeat this.",
  FF006: "You used your second factor too long ago. Use it again.",
  FF007:
    "You set this second factor up after you signed in. Sign out, sign in again with it, then repeat this.",
  FF510: "This account no longer exists.",
  FF511: "Give a reason of at most 500 characters.",
  FF512: "Another administrator was first. The panel shows how the account stands now.",
  FF513: "Another administrator has to do this to your own account.",
  FF514: "Take the administrator role away first.",
  FF515: "Choose between 1 and 365 days.",
  FF516: "Another administrator was first. The panel shows how the account stands now.",
  FF517: "A suspended account, or one whose address isn't confirmed, can't be an administrator.",
  FF657: "Only mentors can publish without a review. This account isn't one now.",
  FF520: "There is no subscription that renews. The panel shows how the account stands now.",
  provider_unavailable: "The card provider did not answer. Try again: it is done once only.",
  FF518: "Write a note of at most 2,000 characters.",
};

/** Said of an act that was not done for no known reason. */
export const memberActionFailed = "That wasn't saved.";
