import { brand } from "@/domain/brand.ts";
import type { describeInBell } from "@/domain/describe-notification.ts";
import { pluralise } from "@/lib/format-count.ts";
import { retryLaterMessage, toAppError, tryAgain } from "@/lib/errors.ts";
import type { Topic } from "./api/notification-choices.ts";

/** The parts of the page: what they are called, and what they are for. */
export const accountStrings = {
  title: "Account",
  intro: "Your profile, what we tell you about, who can reach you, and how you sign in.",
  /** The pages of the account. */
  tabs: {
    profile: "Profile",
    notifications: "Notifications",
    privacy: "Privacy",
    signIn: "Sign-in",
    data: "Data",
  },
  tabsLabel: "Account settings",
  appearance: {
    title: "Appearance",
    intro: "How Fourfold looks in this browser. Other devices keep their own choice.",
  },
  profile: { title: "Profile", intro: "Other members see this beside your name." },
  directory: {
    title: "Directory and profile",
    intro:
      "What members may ask you about, and what they see of you. All members can see your name, occupation and bio.",
  },
  goals: {
    title: "Goals",
    intro: "What you told us when you joined. You can change any of it as you move on.",
  },
  notifications: {
    title: "Notifications",
    intro:
      "Choose what we tell you about, and where. You always get emails about money, your identity and your security.",
  },
  messages: {
    title: "Direct messages",
    intro: "Other members learn only whether they can write to you, not what you chose.",
  },
  blocked: {
    title: "Blocked members",
    intro: "You don't see each other, and neither of you is notified of what the other does.",
  },
  email: "Email",
  /** The address follows. */
  signedInAs: "You sign in as ",
  password: {
    title: "Password",
    intro: "At least 12 characters. A password manager can create a strong one.",
  },
  /** In place of `password`, for an account without one. */
  firstPassword: {
    title: "Password",
    intro: (ways: string) =>
      `You sign in with ${ways}. With a password, you can also sign in with your email address.`,
  },
  currentPassword: "Current password",
  passkeys: {
    title: "Passkeys",
    intro:
      "Sign in without a password, using your fingerprint, your face or your device's screen lock.",
  },
  secondFactor: {
    title: "Second factor",
    intro: "A code from an app on your phone, in addition to your password.",
  },
  sessions: {
    title: "Sessions",
    intro: "Where you are signed in. Lost a device? Sign it out and change your password.",
  },
  data: {
    title: "Your data",
    intro: "Everything we keep about you, in one file that other programs can read.",
  },
  deletion: {
    title: "Delete account",
    intro: "This can't be undone. You may want to export your data first. What others wrote stays.",
  },
} as const;

export const appearanceStrings = {
  theme: "Colours",
  themes: { system: "Same as this device", light: "Light", dark: "Dark" },
  textSize: "Text size",
  textSizes: { normal: "Normal", large: "Large", larger: "Larger" },
} as const;

/** Texts of the profile picture. */
export const pictureStrings = {
  groupLabel: "Profile picture",
  label: "Picture",
  hint: "JPG, PNG or WebP, under 20 MB. We use the square in the middle.",
  preparing: "Preparing your picture…",
  uploading: "Uploading your picture…",
  preview: "This is how other members will see you.",
  save: "Save picture",
  saved: "Your picture is saved.",
  remove: "Remove picture",
  removeTitle: "Remove your picture?",
  removeText:
    "Other members will see your initials instead. You can add a picture again at any time.",
  keep: "Keep my picture",
  removed: "Your picture is removed.",
} as const;

const pictureErrors: Readonly<Record<string, string>> = {
  FF340: "The upload took too long. Please save the picture again.",
  FF341: "Your membership has ended. You can set a picture again once it's running.",
};

const exampleCourse = {
  category: "business",
  shelf: "courses",
  subcategory: "pricing",
  item_id: "an-example",
  module: null,
  title: "Price It Properly",
};

/** A notification of each topic: what the bell says of it stands beside its choice, as an example. */
export const notificationExamples: Readonly<Record<Topic, Parameters<typeof describeInBell>[0]>> = {
  rooms: { kind: "mention", actor: "Tom", others: 0, room: "General" },
  messages: { kind: "direct_message", actor: "Leila", others: 0 },
  submissions: { kind: "submission_like", actor: "Grace", others: 3 },
  pacts: { kind: "pact_due", actor: "Kofi", others: 0, is_overdue: false },
  learning: { kind: "answer", actor: "Helen", others: 0, place: exampleCourse },
  progress: { kind: "level_up", others: 0, detail: "2", rooms: ["Deals"], room_count: 1 },
  account: { kind: "identity_approved", others: 0 },
};

/** Texts of the notification choices. */
export const notificationChoiceStrings = {
  loading: "Loading your choices",
  loadFailed: "We couldn't load your choices",
  notSaved: `Your choice was not saved. ${tryAgain}`,
  tableCaption: "What we tell you about, and where",
  about: "About",
  topics: {
    rooms: { label: "Rooms", hint: "Replies, mentions, likes and announcements." },
    messages: { label: "Direct messages", hint: "What members write to you." },
    submissions: { label: "Submissions", hint: "Likes, comments and mentions." },
    pacts: { label: "Pacts", hint: "Witnesses, due days and outcomes." },
    learning: { label: "Library", hint: "Questions, answers and reminders from mentors." },
    progress: { label: "Progress", hint: "Levels, achievements and certificates." },
    account: { label: "Account", hint: "Your identity and payments. The bell always shows these." },
  },
  /** Beside a topic: what the bell says of such a thing. */
  example: (sentence: string) => `Such as: ${sentence}.`,
  channels: { bell: "Bell", email: "Digest", push: "Push" },
  emailsHeading: "Other emails",
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
/** On `/unsubscribe`, where emails lead that can be switched off. */
export const unsubscribeStrings = {
  title: "Switch these emails off?",
  intro: "Press the button and we won't send you emails of this kind any more.",
  button: "Switch them off",
  doneTitle: "Switched off",
  done: {
    tips: "We won't send you emails about getting started any more.",
    reminders: "We won't email you reminders any more.",
    digest: "We won't send you the digest any more.",
  },
  rest: "You choose which other emails you get in your account.",
  toAccount: "Go to your account",
  unknown: "This link is incomplete. Open it in the email again, or choose in your account.",
  failed: "We couldn't switch these emails off. Check your connection and try again.",
} as const;

export const pushStrings = {
  heading: "Push on this device",
  loading: "Checking this device",
  loadFailed: "We couldn't check this device",
  notSet: "Push messages aren't set up here.",
  unsupported:
    "This browser can't show push messages. On an iPhone or iPad, add Fourfold to your Home Screen first and open it from there.",
  denied:
    "This browser blocks messages from Fourfold. Allow notifications for this site in the browser's settings, then come back.",
  off: "Get messages on this device while Fourfold is closed. They say who and where, never what was written.",
  on: "This device shows push messages until you sign out here.",
  turnOn: "Turn on push",
  turnOff: "Turn off push",
} as const;

/** Texts of the second factor once it is there, and before. */
export const secondFactorStrings = {
  off: "Off. When it's on, nobody can sign in to your account with your password alone.",
  setUp: "Set up second factor",
  done: "Your second factor is on.",
  /** To those who came here from a page that needs it. */
  carryOn: "Your second factor is on. You can carry on where you left off.",
  goBack: "Go back",
  failed: "That didn't work. Check your connection and try again.",
  listLabel: "Your authenticator apps",
  unnamed: "Authenticator app",
  addDevice: "Add a device",
  remove: "Remove",
  removeNamed: (name: string) => `Remove ${name || "authenticator app"}`,
  removeTitle: "Remove this device?",
  removeText: (isLast: boolean) =>
    isLast
      ? "Your account will ask for your password only."
      : "Its codes will no longer be accepted.",
  removeConfirm: "Remove device",
  keep: "Keep it",
  removed: "The device was removed.",
  newCodes: "New recovery codes",
  codesLeft: (count: number) =>
    count === 0
      ? "You have no recovery codes. Create some, so that losing your device doesn't lock you out."
      : `${pluralise(count, "recovery code")} left.`,
} as const;

/** Why a second factor was not set up, by the auth server's code. */
export const secondFactorErrors: Readonly<Record<string, string>> = {
  mfa_factor_name_conflict: "You already have a device with this name. Choose another name.",
  too_many_enrolled_mfa_factors:
    "You have reached the maximum number of devices. Remove one first.",
  mfa_webauthn_enroll_not_enabled:
    "Security keys have been switched off here. Load the page again.",
};

/** The two steps of setting up a second factor. */
export const setUpFactorStrings = {
  name: "Name of the device",
  nameHint: "To help you recognise it later, such as “My phone”.",
  nameMissing: "Name the device.",
  next: "Continue",
  scan: "1. Scan this with an authenticator app, such as Google Authenticator, 1Password or Aegis.",
  pictureAlt: "QR code for your authenticator app",
  /** The key follows. */
  typeKey: "Can't scan it? Type this key into the app:",
  code: "2. Enter the code it shows",
  confirm: "Confirm",
  cancel: "Cancel",
} as const;

/** To an administrator who has no second factor, in place of every page. */
export const firstFactorStrings = {
  title: "Set up your second factor",
  setUp:
    "Administrators sign in with a password and a code. Set up an authenticator app now: nothing else opens before it's on.",
  codesTitle: "Save your recovery codes",
  openLink:
    "Administrators sign in with a password and a code, and a password alone can't set that up. We'll email you a link to choose a new password. Set up your authenticator app within fifteen minutes of opening it.",
  send: "Send the link",
  sentTitle: "Check your inbox",
  sent: (email: string) =>
    `A link is on its way to ${email}. Open it on any device. It works once and expires after one hour.`,
  changePassword: "Change your password",
  signOut: "Sign out",
} as const;

export const recoveryCodeStrings = {
  intro:
    "If you lose your device, one of these codes lets you in. Each works once. We can't show them again, so save them somewhere safe now.",
  listLabel: "Recovery codes",
  copy: "Copy",
  copied: "The codes were copied.",
  copyFailed: "The codes couldn't be copied. Download them instead.",
  download: "Download",
  /** What the file says. */
  file: (codes: readonly string[]) =>
    `${brand.name} recovery codes. Each works once.\n\n${codes.join("\n")}\n`,
  print: "Print",
  haveSaved: "I have saved them",
  done: "Done",
} as const;

/** The devices one is signed in on. */
export const sessionListStrings = {
  loading: "Loading your devices",
  loadFailed: "We couldn't load your devices",
  label: "Devices you are signed in on",
  unknownDevice: "Unknown device",
  device: (browser: string | undefined, system: string | undefined) =>
    `${browser || "Unknown browser"}${system === undefined ? "" : ` on ${system}`}`,
  thisDevice: "This device",
  activeNow: "active now",
  lastSeen: (ago: string) => `last seen ${ago}`,
  signedInOn: (date: string) => `Signed in on ${date}`,
  end: "Sign out",
  endNamed: (device: string) => `Sign out ${device}`,
  endTitle: "Sign out this device?",
  endText: (device: string) => `${device} has to sign in again.`,
  endConfirm: "Sign out device",
  ended: "Signed out.",
  endOthers: "Sign out other devices",
  endOthersTitle: "Sign out other devices?",
  endOthersText: "You'll need to sign in again on every device except this one.",
  endOthersConfirm: "Sign out others",
  endedOthers: "Signed out everywhere else.",
  stay: "Stay signed in",
  endFailed: "The device couldn't be signed out. Check your connection and try again.",
} as const;

export const exportStrings = {
  start: "Export my data",
  done: "Your data was saved as a file.",
  tooOften: "You have exported your data several times already. Try again in an hour.",
  failed: "Your data couldn't be exported. Check your connection and try again.",
  incomplete: (missing: number) =>
    `${missing === 1 ? "One of your files" : `${missing} of your files`} couldn't be read. They're listed in missing-files.txt. Please contact support to get them.`,
  /** What missing-files.txt says. */
  missingFiles: (names: readonly string[]) =>
    `These files could not be read when this archive was made:\n\n${names.join("\n")}\n`,
} as const;

/** Why push was not switched, for the member. */
export function explainPushError(error: unknown): string {
  if (toAppError(error).code === "FF790") {
    return "This browser uses a push service we don't know, so we can't send to it.";
  }
  return retryLaterMessage(error) ?? `Push wasn't changed. ${tryAgain}`;
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
