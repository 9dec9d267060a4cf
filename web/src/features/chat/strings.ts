/** Every text of the chat that others rely on word for word. */
export const chatStrings = {
  roomNotFound: "Room not found",
  backToRooms: "Back to Chat Rooms",
  levelStrip: "Level Advancements",
  notSent: "Your message was not sent. Your words are back in the box.",
  offline: "You are offline. What you send waits here and goes out once when you are back.",
  reconnecting: "The connection was lost. Reconnecting…",
  deleted: "This message was deleted.",
  reported: "Thank you. A moderator will look at this message.",
  linkCopied: "The link to the message is copied.",
  unread: "New since your last visit",
} as const;

/** Said on a room that is still closed. */
export function unlockAt(level: number): string {
  return `Unlock at Level ${level}`;
}
