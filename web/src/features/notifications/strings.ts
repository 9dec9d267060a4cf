import { brand, formatPence } from "@/domain/brand.ts";
import { pluralise } from "@/lib/format-count.ts";
import { longDate } from "@/lib/format-time.ts";
import { shownCount } from "@/ui/shown-count.ts";
import type { BellItem } from "./model/bell-page.ts";

/** What the bell says. */
export const notificationStrings = {
  title: "Notifications",
  loading: "Loading your notifications",
  failed: "We couldn't load your notifications",
  markFailed: "We couldn't mark your notifications as read. Try again.",
  markAll: "Mark all as read",
  more: "Show older",
  unread: "Unread",
  emptyTitle: "Nothing yet",
  empty: "Replies, mentions, likes and comments from other members will appear here.",
  bell: (unread: number) =>
    unread === 0 ? "Notifications" : `Notifications, ${shownCount(unread)} unread`,
} as const;

/** `Tom`, `Tom and 1 other`, `Tom and 3 others`. */
function who({ actor, others }: BellItem): string {
  const name = actor === null || actor === "" ? "A member" : actor;
  return others === 0 ? name : `${name} and ${pluralise(others, "other")}`;
}

/** `Deals`, `Deals and Strategy`, `Deals, Strategy and 2 more rooms`. */
function roomNames({ rooms, room_count: count }: BellItem): string {
  const names = rooms ?? [];
  const more = (count ?? names.length) - names.length;
  return more < 1 ? names.join(" and ") : `${names.join(", ")} and ${pluralise(more, "more room")}`;
}

/** `“A plan for Monday”`, or `Your article` without a title. */
function draftName({ draft, draft_kind: kind }: BellItem): string {
  return draft?.trim() ? `“${draft}”` : `Your ${kind ?? "draft"}`;
}

/** Why a payment ended the membership. */
const endings: Readonly<Record<string, string>> = {
  refunded: "Your last payment was refunded, so your membership has ended",
  dispute_lost: "Your bank reversed a payment, so your membership has ended",
};

/** What was reported, to who reported it and to its author. */
const reportedThings: Readonly<Record<string, { readonly theirs: string; readonly own: string }>> =
  {
    message: { theirs: "the message", own: "A message of yours was removed" },
    profile: { theirs: "the profile", own: "Your bio and topics were cleared" },
    submission: { theirs: "the submission", own: "A submission of yours was removed" },
    comment: { theirs: "the comment", own: "A comment of yours was removed" },
    direct_message: { theirs: "the message", own: "A message of yours was removed" },
    post: { theirs: "the post", own: "A post of yours was removed" },
  };
const legalTexts: Readonly<Record<string, string>> = {
  terms: "our terms",
  privacy: "our privacy notice",
  refunds: "our refund terms",
};
const somethingReported = { theirs: "what", own: "Something of yours was removed" };

/** What happened, in one sentence without a full stop. */
export function formatBellItem(item: BellItem): string {
  switch (item.kind) {
    case "reply":
      return `${who(item)} replied to your message in ${item.room ?? "a room"}`;
    case "mention":
      return `${who(item)} mentioned you in ${item.room ?? "a room"}`;
    case "announcement":
      return `${who(item)} posted to everyone in ${item.room ?? "a room"}`;
    case "submission_mention":
      return `${who(item)} mentioned you in ${item.comment_id ? "a comment" : "a submission"}`;
    case "message_like":
      return `${who(item)} liked your message in ${item.room ?? "a room"}`;
    case "submission_like":
      return `${who(item)} liked your submission`;
    case "submission_comment":
      return `${who(item)} commented on your submission`;
    case "level_up":
      return item.rooms?.length
        ? `You reached Level ${item.detail ?? ""}. Open to you now: ${roomNames(item)}`
        : `You reached Level ${item.detail ?? ""}`;
    case "room_open":
      return `A room has opened: ${item.room ?? "a room"}`;
    case "identity_approved":
      return "Your identity has been verified";
    case "identity_rejected":
      return "Your identity document was not accepted. Please send another";
    case "payment_failed":
      return "Your last payment failed. Update your card to keep your membership";
    case "payment_refunded":
      return typeof item.amount_pence === "number" && item.currency
        ? `We've refunded ${formatPence(item.amount_pence, item.currency)} to you`
        : "We've refunded a payment to you";
    case "membership_ended":
      return endings[item.why ?? ""] ?? "Your membership has ended. Your progress is kept";
    case "report_decided": {
      const { theirs } = reportedThings[item.what ?? ""] ?? somethingReported;
      return item.is_kept
        ? `We looked at ${theirs} you reported. It doesn't break our rules, so it stays`
        : `We looked at ${theirs} you reported. It broke our rules and was ${item.what === "profile" ? "cleared" : "removed"}. Thank you`;
    }
    case "moderated": {
      const { own } = reportedThings[item.what ?? ""] ?? somethingReported;
      return `${own}: after a report, we found that it broke our rules. Write to ${brand.supportEmail} if you disagree`;
    }
    case "question":
      return `${who(item)} asked about “${item.place?.title ?? "a text"}”`;
    case "answer":
      return `${who(item)} answered your question about “${item.place?.title ?? "a text"}”`;
    case "nudge":
      return `${who(item)} reminded you of “${item.place?.title ?? "a course"}”. Pick it up where you left off`;
    case "witness_asked":
      return `${who(item)} asked you to witness a pact`;
    case "witness_accepted":
      return `${who(item)} agreed to witness your pact`;
    case "witness_declined":
      return `${who(item)} can't witness your pact`;
    case "pact_due": {
      const when = item.is_overdue ? "overdue" : "due soon";
      return item.actor === null
        ? `Your pact is ${when}`
        : `${who(item)}'s pact is ${when}. Ask how it's going`;
    }
    case "direct_message":
      return `${who(item)} wrote to you`;
    case "pact_outcome":
      return `${who(item)} recorded how their pact went`;
    case "achievement":
      return item.achievement ? `You earned “${item.achievement}”` : "You earned a new achievement";
    case "certificate":
      return "Your certificate is ready";
    case "check_in_due":
      return "This month's check-in is due. It takes a minute";
    case "baseline_due": {
      const when = item.deadline
        ? `by ${longDate(Date.parse(item.deadline))}`
        : "in your first week";
      return `Write down what you earn a month ${when}. Without it the guarantee doesn't apply`;
    }
    case "legal_changed":
      return `There is a new version of ${legalTexts[item.what ?? ""] ?? "our terms"}`;
    case "draft_returned":
      return `${draftName(item)} was sent back. Read the comments, then submit it again`;
    case "draft_scheduled":
      return `${draftName(item)} was approved. It will be published at its time`;
    case "draft_published":
      return `${draftName(item)} is published`;
    case "draft_not_published":
      return `${draftName(item)} couldn't be published at its time. See what to change`;
    case "draft_recalled":
      return `${draftName(item)} was taken back by an administrator. Submit it again when it is ready`;
    case "draft_withdrawn":
      return `${draftName(item)} was withdrawn from the library by an administrator`;
    case "sale_ended":
      return "An administrator ended the sale of your course";
    case "other":
      return "You have a new notification. Reload the page to see what it is";
  }
}
