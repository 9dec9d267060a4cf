/** The dialog that deletes the account. */
export const deleteAccountStrings = {
  start: "Delete my account",
  title: "Delete your account?",
  text: "Your membership ends at once and is not refunded for the rest of the time you paid for. Your profile, messages, submissions, progress and documents are deleted. You also lose courses you bought (return one first if you still can) and earnings that haven't been paid out. You can't undo this.",
  /** While a claim under the guarantee is undecided. */
  claim:
    "Your claim under the guarantee is waiting for a decision. It's deleted with your account, and nothing is refunded for it.",
  /** For a mentor. */
  published:
    "Your published articles and courses stay, without your name. Courses you sell leave the sale; members who bought one keep it.",
  /** While the membership can be withdrawn from, which the deletion does not do. */
  withdrawal: (day: string, amount: string) =>
    `You can still withdraw from your membership until the end of ${day} and get ${amount} back. Deleting your account refunds nothing.`,
  withdraw: "Withdraw first",
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
