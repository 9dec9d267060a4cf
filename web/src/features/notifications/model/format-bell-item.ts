import { libraryPath } from "@/domain/library-paths.ts";
import { paths } from "@/domain/paths.ts";
import { pluralise } from "@/lib/format-count.ts";
import type { BellItem } from "./bell-page.ts";

/** `Tom`, `Tom and 1 other`, `Tom and 3 others`. */
function who({ actor, others }: BellItem): string {
  const name = actor === null || actor === "" ? "A member" : actor;
  return others === 0 ? name : `${name} and ${pluralise(others, "other")}`;
}

/** What happened, in one sentence without a full stop. */
export function formatBellItem(item: BellItem): string {
  switch (item.kind) {
    case "reply":
      return `${who(item)} replied to your message in ${item.room ?? "a room"}`;
    case "mention":
      return `${who(item)} mentioned you in ${item.room ?? "a room"}`;
    case "message_like":
      return `${who(item)} liked your message in ${item.room ?? "a room"}`;
    case "submission_like":
      return `${who(item)} liked your submission`;
    case "submission_comment":
      return `${who(item)} commented on your submission`;
    case "level_up":
      return `You reached Level ${item.detail ?? ""}`;
    case "identity_approved":
      return "Your identity has been verified";
    case "identity_rejected":
      return "Your identity document was not accepted. Please send another";
    case "payment_failed":
      return "Your last payment failed. Update your card to keep your membership";
    case "question":
      return `${who(item)} asked about “${item.place?.title ?? "a text"}”`;
    case "answer":
      return `${who(item)} answered your question about “${item.place?.title ?? "a text"}”`;
  }
}

/** Where the line leads. */
export function bellItemPath(item: BellItem): string {
  switch (item.kind) {
    case "mention":
      return `${paths.chats}/${encodeURIComponent(item.chat_room_id ?? "")}#${item.message_id ?? ""}`;
    case "reply":
    case "message_like":
      return `${paths.chats}/${encodeURIComponent(item.chat_room_id ?? "")}`;
    case "submission_like":
    case "submission_comment":
      return `${paths.submissions}?submission=${item.submission_id ?? ""}`;
    case "level_up":
      return paths.progress;
    case "identity_approved":
    case "identity_rejected":
      return paths.verification;
    case "payment_failed":
      return paths.subscriptions;
    case "question":
      return paths.studio;
    case "answer": {
      const { place } = item;
      if (!place) return paths.dashboard;
      const path = libraryPath(place.category, place.shelf, place.subcategory, place.item_id);
      return place.module === null ? path : `${path}?module=${place.module}`;
    }
  }
}
