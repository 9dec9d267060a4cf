import type { Level } from "@/domain/levels.ts";
import { formatCount, pluralise } from "@/lib/format-count.ts";
import type { MessagePlace } from "./model/message-place.ts";
import type { Reaction } from "./model/reactions.ts";

/** What several parts of the chat say. */
export const chatStrings = {
  retry: "Try again",
  pleaseRetry: "Please try again.",
  cancel: "Cancel",
  deleted: "This message was deleted.",
  blockedLine: "A message from a member you blocked",
  loadingRooms: "Loading the rooms",
  noMessages: "No messages yet",
  /** Said before one's own last words in a room. */
  you: "You",
  pictureNotLoaded: "The picture couldn't be loaded.",
  noDescription: "Picture without a description",
  tellsEveryone: "Everyone who can read this room will be notified. This needs a second factor.",
} as const;

/** The list of the rooms. */
export const roomListStrings = {
  title: "Chat rooms",
  intro: "Chat with other members every day. More rooms open as you level up.",
  /** Said before the level's badge. */
  yourLevel: "Your level ",
  noLevel: "Your level: 0",
  membersOnly:
    "Chat rooms are for active members. You can see which rooms there are, and the level that opens each.",
  levelFailed: "We couldn't load your level",
  failed: "We couldn't load the rooms",
  emptyTitle: "There are no rooms right now",
  emptyText: "Rooms appear here as soon as they open.",
  level: (level: number) => `Level ${level}`,
  rooms: (count: number) => pluralise(count, "room"),
  quietRooms: (count: number) => pluralise(count, "quiet room"),
  startRoom: "Start the conversation",
  opensOnRenewal: "Opens again when you renew",
  renew: "Renew your membership to unlock your rooms. Your level and progress are kept.",
  /** @param next what the next rooms open at; undefined when it is not known. */
  unlockMore: (level: number, next: Level | undefined) =>
    `${level === 0 ? "Join and finish onboarding" : "Complete more of your level"} to unlock more rooms${next ? `: the next ones open at Level ${next.number}, ${next.name}` : ""}.`,
  whatIsLeft: "See what's left to do",
  locked: (room: string) => `${room} is locked`,
  opensAt: (level: number) => `It opens at Level ${level}.`,
  notOpened: "We couldn't open the room",
  openAgain: "Check your connection and open it again from the list.",
} as const;

/** A room or a conversation that is open, around its messages. */
export const roomStrings = {
  loading: "Loading the room",
  notFound: "Room not found",
  notFoundText:
    "There's no room at this address. It may have been closed, or the link may be wrong.",
  backToRooms: "Back to Chat Rooms",
  allRooms: "All chat rooms",
  switcher: "Your rooms",
  switcherFailed: "We couldn't load the rooms.",
  whoIsHere: "Who's here",
  spokeLast: "Spoke last",
  /** @param presence how many are here, as `hereNow` says it. */
  presenceIn: (presence: string, room: string) => `${presence} in ${room}.`,
  notConnected: "The list appears once you're connected.",
  you: " (you)",
  makePact: "Make a pact",
  pinned: "Pinned messages",
  fewerPins: "Show fewer",
  allPins: (count: number) => `Show all ${count}`,
  offline: "You're offline. Your messages will be sent when you're back online.",
  /** How many messages wait to be sent. */
  waiting: (count: number) => ` ${count} waiting.`,
  reconnecting: "Connection lost. Reconnecting…",
  oneTyping: (name: string) => `${name} is typing…`,
  twoTyping: (first: string, second: string) => `${first} and ${second} are typing…`,
  /** @param others how many are typing beside the two. */
  manyTyping: (first: string, second: string, others: number) =>
    `${first}, ${second} and ${others === 1 ? "1 other" : `${others} others`} are typing…`,
} as const;

/** The messages of a room or a conversation, what can be done with them, and their pictures. */
export const chatMessageStrings = {
  loading: "Loading the messages",
  failed: "We couldn't load the messages.",
  loadingEarlier: "Loading earlier messages…",
  showMore: "Show more",
  showLess: "Show less",
  jumpToNewest: "Jump to newest",
  /** Said after the number of messages that arrived meanwhile. */
  missed: " new",
  unread: "New since your last visit",
  edited: "(edited)",
  pinned: "Pinned",
  sending: "Sending…",
  queued: "Waiting for a connection",
  replyToUnknown: "In reply to an earlier message",
  replyTo: "In reply to ",
  actions: (author: string) => `Actions for the message of ${author}`,
  more: "More",
  like: "Like",
  unlike: "Unlike",
  react: "React",
  reply: "Reply",
  copyLink: "Copy link",
  linkCopied: "Link copied.",
  pin: "Pin to the top of the room",
  unpin: "Unpin",
  pinFailed: "The pin wasn't changed.",
  edit: "Edit",
  editLabel: "Edit your message",
  editSave: "Save",
  editFailed: "We couldn't save your change. Please try again.",
  remove: "Delete",
  removeTitle: "Delete this message?",
  removeText: "This deletes the message for everyone. You can't undo this.",
  removeOthersText:
    "This deletes the message for everyone, and tells its author why. You can't undo this.",
  removeConfirm: "Delete message",
  removeCancel: "Keep it",
  removeFailed: "The message was not deleted.",
  report: "Report this message",
  likes: (count: number) => pluralise(count, "like"),
  reactors: "Who reacted",
  noReactors: "Nobody has reacted yet.",
  loadingNames: "Loading the names",
  namesFailed: "The names couldn't be loaded.",
  picture: "Picture",
  pictureOf: (author: string) => `Picture from ${author}`,
  openPicture: (shows: string) => `Open the picture: ${shows}`,
  loadingPicture: (shows: string) => `Loading a picture: ${shows}`,
  sendingPicture: "Sending the picture",
} as const;

/** The field for a new message, its picture and the message it answers. */
export const composerStrings = {
  send: "Send",
  skipToField: "Skip to the message field",
  characters: "Characters: ",
  tooLong: (excess: number, limit: number) =>
    `This is ${pluralise(excess, "character")} too long. Messages can have up to ${formatCount(limit)}.`,
  replyingTo: "Replying to ",
  notSent: "Your message wasn't sent. Your text is back in the message box.",
  /** Where the text stays in the field until it is sent. */
  notSentHere: "Your message wasn't sent. Please try again.",
  notSentPicture: "Your message wasn't sent. The picture is back in the message box.",
  oneReturned: "Only the last picture could be put back.",
  picture: "Picture",
  addPicture: "Add a picture",
  dropPicture: "Drop the picture to add it",
  onePicture: "A message can have one picture. Only the first was added.",
  preparingPicture: "Preparing the picture…",
  pictureAlt: "Describe the picture",
  pictureAltHint: "For members who can't see it (optional)",
  altTooLong: (limit: number) => `Descriptions can have up to ${limit} characters.`,
  removePicture: "Remove the picture",
  tooManyPictures:
    "You can send 30 pictures an hour while your membership runs. Please try again later.",
  pictureRefused: "The picture couldn't be used. Please choose another one.",
} as const;

export const messageSearchStrings = {
  search: "Search messages",
  label: "Words to look for",
  scope: "Where to look",
  /** Said before the name of the room. */
  inRoom: "In ",
  everywhere: "In all your rooms",
  hint: "Type a word or two. You'll find messages from the rooms that are open to you.",
  searching: "Searching",
  failed: "We couldn't search the messages",
  nothingFound: "No messages found. Try fewer or different words.",
  /** Said to screen readers when the results are there. */
  found: (count: number, more: boolean) =>
    `${pluralise(count, "message")} found${more ? ", and there are more" : ""}.`,
  results: "Messages found",
  earlier: "Show earlier messages",
} as const;

/** The name of each reaction. */
export const reactionNames: Readonly<Record<Reaction, string>> = {
  applause: "Well done",
  celebrate: "Celebrate",
  insight: "Good idea",
  laugh: "Funny",
  thanks: "Thank you",
};

/** What the message list and the message field say about their place. */
export function placeTexts({ name, kind }: MessagePlace) {
  return kind === "member"
    ? {
        list: `Messages with ${name}`,
        field: `Message to ${name}`,
        placeholder: `Message ${name}`,
        start: `This is the start of your conversation with ${name}.`,
        empty: `No messages with ${name} yet.`,
        emptyHint: "Only the two of you can read what you write here.",
      }
    : {
        list: `Messages in ${name}`,
        field: `Message in ${name}`,
        placeholder: `Message ${name}`,
        start: `This is the start of ${name}.`,
        empty: `No messages in ${name} yet.`,
        emptyHint: "Say hello to start the conversation.",
      };
}

/** Shown on a locked room. */
export function unlockAt(level: number): string {
  return `Unlock at Level ${level}`;
}

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
