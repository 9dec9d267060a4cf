import { formatCount, pluralise } from "@/lib/format-count.ts";

/** Interface texts of the chat that tests and the specification quote. */
export const chatStrings = {
  roomNotFound: "Room not found",
  backToRooms: "Back to Chat Rooms",
  opensOnRenewal: "Opens again when you renew",
  levelStrip: "Level Advancements",
  notSent: "Your message wasn't sent. Your text is back in the message box.",
  notSentPicture: "Your message wasn't sent. The picture is back in the message box.",
  oneReturned: "Only the last picture could be put back.",
  addPicture: "Add a picture",
  preparingPicture: "Preparing the picture…",
  sendingPicture: "Sending the picture",
  pictureAlt: "Describe the picture",
  pictureAltHint: "For members who can't see it (optional)",
  removePicture: "Remove the picture",
  dropPicture: "Drop the picture to add it",
  onePicture: "A message can have one picture. Only the first was added.",
  tooManyPictures:
    "You can send 30 pictures an hour while your membership runs. Please try again later.",
  pictureRefused: "The picture couldn't be used. Please choose another one.",
  pictureNotLoaded: "The picture couldn't be loaded.",
  noDescription: "Picture without a description",
  offline: "You're offline. Your messages will be sent when you're back online.",
  reconnecting: "Connection lost. Reconnecting…",
  deleted: "This message was deleted.",
  reported: "Thank you. An administrator will look at it.",
  tellsEveryone: "Everyone who can read this room will be notified. This needs a second factor.",
  linkCopied: "Link copied.",
  reportNote:
    "Only administrators see your report. The author isn't told who reported the message.",
  directReportNote:
    "Administrators will read this message and up to five before it, and nothing else of your conversation. The author isn't told who reported it.",
  whoIsHere: "Who's here",
  makePact: "Make a pact",
  switcher: "Your rooms",
  blockedLine: "A message from a member you blocked",
  unread: "New since your last visit",
  reactors: "Who reacted",
  noReactors: "Nobody has reacted yet.",
  pinned: "Pinned messages",
  pinFailed: "The pin wasn't changed.",
  startRoom: "Start the conversation",
  search: "Search messages",
  searchHint: "Type a word or two. You'll find messages from the rooms that are open to you.",
  nothingFound: "No messages found. Try fewer or other words.",
  /** Said to screen readers when the results are there. */
  found: (count: number, more: boolean) =>
    `${pluralise(count, "message")} found${more ? ", and there are more" : ""}.`,
} as const;

/** How many are in a room at this moment; null when nobody is, which is not worth a line. */
export function hereNow(count: number): string | null {
  return count > 0 ? `${formatCount(count)} here now` : null;
}

/** `Ada, Ben and 3 others`; empty without names. */
export function formatNames(names: readonly string[], max: number): string {
  const shown = names.slice(0, max);
  const rest = names.length - shown.length;
  if (rest > 0) shown.push(rest === 1 ? "1 other" : `${rest} others`);
  const last = shown.pop() ?? "";
  return shown.length === 0 ? last : `${shown.join(", ")} and ${last}`;
}

/** Shown on a locked room. */
export function unlockAt(level: number): string {
  return `Unlock at Level ${level}`;
}
