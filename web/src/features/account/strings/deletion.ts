/** The dialog that deletes the account. */
export const deleteAccountStrings = {
  start: "Delete my account",
  title: "Delete your account?",
  text: "Your membership ends at once and is not refunded for the rest of the time you paid for. Your profile, messages, submissions, progress and documents are deleted. You can't undo this.",
  password: "Your password",
  keep: "Keep my account",
  confirm: "Delete account",
  /** For an account without a password. */
  signInAgain:
    "Your account has no password. To confirm that it's you, sign in again, then delete your account within ten minutes.",
  justSignedIn: "You've just signed in, so you don't need to enter anything else.",
  noProvider: "Your account has no password. To delete it, set one first: ",
  choosePassword: "get a link for a new password",
  done: "Your account has been deleted.",
  failed: "Your account couldn't be deleted. Check your connection and try again.",
} as const;
