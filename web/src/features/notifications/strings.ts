import { shownCount } from "@/lib/title-count.ts";

/** What the bell says. */
export const notificationStrings = {
  title: "Notifications",
  loading: "Loading your notifications",
  failed: "Your notifications could not be loaded",
  markFailed: "Your notifications could not be marked as read. Try again.",
  markAll: "Mark all as read",
  more: "Show older",
  unread: "Unread",
  emptyTitle: "Nothing yet",
  empty: "Replies, mentions, likes and comments from other members will appear here.",
  bell: (unread: number) =>
    unread === 0 ? "Notifications" : `Notifications, ${shownCount(unread)} unread`,
} as const;
