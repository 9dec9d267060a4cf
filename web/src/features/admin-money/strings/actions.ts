/** What administrators read for errors of the second factor. */
export const codeMessages: Readonly<Record<string, string>> = {
  FF006: "You used your second factor too long ago. Close this, then use it again.",
  FF007:
    "You set this second factor up after you signed in. Sign out, sign in again with it, then repeat this.",
};

/** Said when an act was refused without a reason that is written for administrators. */
export const notDone = "That wasn't done. Load the page again, then try again.";

/** Said when the answer to an act was lost. */
export const actionUnclear =
  "We don't know whether that was done: no answer came. Check your connection, then load the page again and look before you repeat it.";

/** The reason of an act. */
export const moneyActionStrings = {
  reasonHint: "For the audit log. The member doesn't see it.",
  reasonMissing: "Say why. It is recorded with your name.",
  commonReasons: "Common reasons",
  chooseReason: "Choose one, or write your own",
} as const;
