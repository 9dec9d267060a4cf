import { formatCount } from "@/lib/format-count.ts";

/** Interface texts of the chat that tests and the specification quote. */
export const chatStrings = {
  roomNotFound: "Room not found",
  backToRooms: "Back to Chat Rooms",
  opensOnRenewal: "Opens again when you renew",
  levelStrip: "Level Advancements",
  notSent: "Your message wasn't sent. Your text is back in the message box.",
  offline: "You're offline. Your messages will be sent when you're back online.",
  reconnecting: "Connection lost. Reconnecting…",
  deleted: "This message was deleted.",
  reported: "Thank you. A moderator will review this message.",
  linkCopied: "Link copied.",
  unread: "New since your last visit",
} as const;

/** How many are in a room at this moment. */
export function hereNow(count: number): string {
  return count === 0 ? "Nobody here now" : `${formatCount(count)} here now`;
}

/** Shown on a locked room. */
export function unlockAt(level: number): string {
  return `Unlock at Level ${level}`;
}
