import { retryLaterMessage, toAppError, tryAgain } from "@/lib/errors.ts";

/** Texts of the profile picture. */
export const pictureStrings = {
  label: "Picture",
  hint: "JPG, PNG or WebP, under 20 MB. We use the square in the middle.",
  preparing: "Preparing your picture…",
  uploading: "Uploading your picture…",
  preview: "This is how other members will see you.",
  saved: "Your picture is saved.",
  removed: "Your picture is removed.",
} as const;

const pictureErrors: Readonly<Record<string, string>> = {
  FF340: "The upload took too long. Please save the picture again.",
  FF341: "Your membership has ended. You can set a picture again once it's running.",
};

/** Texts of the notification choices. */
export const notificationChoiceStrings = {
  notSaved: `Your choice was not saved. ${tryAgain}`,
  topics: {
    rooms: { label: "Rooms", hint: "Replies, mentions, likes and announcements." },
    messages: { label: "Direct messages", hint: "What members write to you." },
    submissions: { label: "Submissions", hint: "Likes, comments and mentions." },
    pacts: { label: "Pacts", hint: "Witnesses, due days and outcomes." },
    learning: { label: "Library", hint: "Questions, answers and reminders from mentors." },
    progress: { label: "Progress", hint: "Levels, achievements and certificates." },
    account: { label: "Account", hint: "Your identity and payments. The bell always shows these." },
  },
  channels: { bell: "Bell", email: "Digest", push: "Push" },
  emails: {
    tips: { label: "Getting started", hint: "A welcome, and what to do first." },
    reminders: { label: "Reminders", hint: "What needs you soon, such as a card that expires." },
  },
  digest: {
    label: "Email digest",
    hint: "What you haven't read, in one email at about 7 in the morning (UTC). It only comes when there is something new.",
    frequencies: { weekly: "Every Monday", daily: "Every day", off: "Never" },
  },
  always: "Always",
  never: "–",
  notInDigest: "Not in the digest: these have emails of their own",
} as const;

/** Texts of the push messages on this device. */
export const pushStrings = {
  heading: "Push on this device",
  loadFailed: "We couldn't check this device",
  notSet: "Push messages aren't set up here.",
  unsupported:
    "This browser can't show push messages. On an iPhone or iPad, add Fourfold to your Home Screen first and open it from there.",
  denied:
    "This browser blocks messages from Fourfold. Allow notifications for this site in the browser's settings, then come back.",
  off: "Be told on this device while Fourfold is closed. A message says who and where, never what they wrote.",
  on: "This device shows push messages until you sign out here.",
  turnOn: "Turn on push",
  turnOff: "Turn off push",
} as const;

/** Why push was not switched, for the member. */
export function explainPushError(error: unknown): string {
  if (toAppError(error).code === "FF790") {
    return "This browser uses a push service we don't know, so we can't send to it.";
  }
  return retryLaterMessage(error) ?? `Push wasn't switched. ${tryAgain}`;
}

/** Why a picture was not saved, for the member. */
export function explainPictureError(error: unknown): string {
  const { code, status } = toAppError(error);
  if (status === 403 || Reflect.get(Object(error), "statusCode") === "403") {
    return "You can upload 20 pictures an hour while your membership runs. Please try again later.";
  }
  return (
    pictureErrors[code] ?? retryLaterMessage(error) ?? `Your picture wasn't saved. ${tryAgain}`
  );
}

/** Why a picture was not removed, for the member. */
export function explainRemovalError(error: unknown): string {
  return retryLaterMessage(error) ?? `Your picture wasn't removed. ${tryAgain}`;
}
