import { shownCount } from "@/ui/shown-count.ts";

/** What the bell says. */
export const notificationStrings = {
  title: "Notifications",
  loading: "Loading your notifications",
  failed: "We couldn't load your notifications",
  markFailed: "We couldn't mark your notifications as read. Try again.",
  markAll: "Mark all as read",
  more: "Show older",
  unread: "Unread",
  /** Why an administrator took something away, in the administrator's words. */
  reason: (explanation: string) => `Reason: ${explanation}`,
  /** What one wrote with a report. */
  report: (words: string) => `Your report: “${words}”`,
  /** What one chose with a report, without any words. */
  reportCategory: (name: string) => `Your report: ${name}`,
  emptyTitle: "Nothing yet",
  empty: "Replies, mentions, likes and comments from other members will appear here.",
  bell: (unread: number) =>
    unread === 0 ? "Notifications" : `Notifications, ${shownCount(unread)} unread`,
} as const;
