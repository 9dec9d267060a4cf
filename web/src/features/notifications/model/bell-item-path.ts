import { libraryPath } from "@/domain/library-paths.ts";
import {
  certificatePath,
  conversationPath,
  paths,
  studioDraftPath,
  submissionCommentsPath,
  submissionPath,
} from "@/domain/paths.ts";
import type { BellItem } from "./bell-page.ts";

function roomPath({ chat_room_id: room }: BellItem): string {
  return `${paths.chats}/${encodeURIComponent(room ?? "")}`;
}

const legalPaths: Readonly<Record<string, string>> = {
  terms: paths.terms,
  privacy: paths.privacy,
  refunds: paths.refunds,
};

/** The pages of what can be reported: it may be gone, and who reported is not led to it. */
const reportedPaths: Readonly<Record<string, string>> = {
  message: paths.chats,
  profile: paths.account,
  submission: paths.submissions,
  comment: paths.submissions,
  direct_message: paths.messages,
  post: paths.collaborate,
};

/** Where the line leads. */
export function bellItemPath(item: BellItem): string {
  switch (item.kind) {
    case "reply":
    case "mention":
    case "announcement":
    case "message_like":
      return `${roomPath(item)}#${encodeURIComponent(item.message_id ?? "")}`;
    case "room_open":
      return roomPath(item);
    case "direct_message":
      return conversationPath(item.member_id ?? "");
    case "submission_mention":
      return item.comment_id
        ? submissionCommentsPath(item.submission_id ?? "")
        : submissionPath(item.submission_id ?? "");
    case "submission_comment":
      return submissionCommentsPath(item.submission_id ?? "");
    case "submission_like":
    case "pact_outcome":
      return submissionPath(item.submission_id ?? "");
    case "witness_asked":
    case "witness_accepted":
    case "witness_declined":
    case "pact_due":
      return paths.pacts;
    case "achievement":
      return paths.achievements;
    case "certificate":
      return certificatePath(item.certificate_id ?? "");
    case "level_up":
      return item.rooms?.length ? paths.chats : paths.progress;
    case "report_decided":
    case "moderated":
      return reportedPaths[item.what ?? ""] ?? paths.dashboard;
    case "check_in_due":
    case "baseline_due":
      return paths.progressGuarantee;
    case "legal_changed":
      return legalPaths[item.what ?? ""] ?? paths.terms;
    case "other":
      return paths.dashboard;
    case "identity_approved":
    case "identity_rejected":
      return paths.verification;
    case "payment_failed":
    case "payment_refunded":
    case "membership_ended":
      return paths.subscriptions;
    case "question":
      return paths.studio;
    case "draft_returned":
    case "draft_scheduled":
    case "draft_published":
    case "draft_not_published":
    case "draft_recalled":
    case "draft_withdrawn":
      return studioDraftPath(item.draft_id ?? "");
    case "sale_ended":
      return paths.studioSelling;
    case "nudge":
    case "answer": {
      const { place } = item;
      if (!place) return paths.dashboard;
      const path = libraryPath(place.category, place.shelf, place.subcategory, place.item_id);
      return place.module === null ? path : `${path}?module=${place.module}`;
    }
  }
}
