import { brand } from "@/domain/brand.ts";

/** Every text of sign-up, sign-in and account screens that others rely on word for word. */
export const sessionStrings = {
  alreadyRegistered: "An account with this email already exists. Redirecting you to sign in...",
  signUpFailed: "An error occurred during sign up",
  sessionMissing: "Your account was created, but no session was started. Please try signing in.",
  profileFailed: "Account created but failed to initialize profile. Please try signing in.",
  signUpDone: "Account created successfully! You can now sign in.",
  passwordsDiffer: "Passwords do not match",
  passwordWeak: "Please ensure your password meets all requirements",
  emailMissing: "Please enter your email address",
  emailInvalid: "Please enter a valid email address",
  passwordMissing: "Please enter your password",
  passwordTooShort: "Use at least 12 characters.",
  passwordTooPlain:
    'Use an uppercase letter, a lowercase letter, a digit and one of !@#$%^&*(),.?":{}|<>.',
  passwordGuessable:
    "This password is easy to guess because it is common or based on your email address. Please choose another one.",
  passwordSame: "This is your current password. Please choose a different one.",
  currentPasswordMissing: "Please enter your current password",
  currentPasswordWrong: "This is not your current password",
  signInFailed: "An error occurred during sign in",
  signInByLink: "Or choose “Forgotten your password?” and get in with a link by email.",
  signInDone: "Successfully signed in!",
  adminOnly: "You do not have admin privileges. Access denied.",
  adminUnverified: "Failed to verify admin privileges",
  adminNoUser: "No user data returned",
  adminFailed: "An error occurred during admin sign in",
  adminDone: "Admin login successful!",
  codeWrong:
    "That code isn't right. Codes change every 30 seconds and work only once, so enter the latest one.",
  codeMissing: "Enter all six digits of the code.",
  recoveryCodeMissing: "Enter one of your recovery codes.",
  codeTooMany: "Too many wrong codes. Wait a moment, then enter the latest one.",
  codeFailed: "We couldn't check the code. Check your connection and try again.",
  factorRecovered: "Your second factor has been removed. Set up a new one on your account page.",
  accountSuspended: `Your account is suspended, so you can't sign in. We emailed you the reason. If you think this is a mistake, write to ${brand.supportEmail}.`,
  sessionEnded: "You have been signed out. Please sign in again.",
  signOutFailed: "We couldn't sign you out. Check your connection and try again.",
  resent: "We sent a new link. Only the newest one works.",
  resendFailed: "We couldn't send the link. Please try again.",
  /** @param seconds until another link may be asked for; undefined when the server did not say. */
  resendTooSoon: (seconds: number | undefined) =>
    seconds === undefined
      ? "A link was sent a moment ago. Wait a minute, then ask for another one."
      : `A link was sent a moment ago. You can ask for another one in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`,
  recoverFailed: "We couldn't send the link. Please try again.",
  passwordUpdated: "Your password has been changed.",
  passwordUpdateFailed: "We couldn't change your password. Please try again.",
  emailChangeFailed: "We couldn't change your email address. Please try again.",
} as const;

/** What the backend's message contains when the address is taken. */
export const alreadyRegisteredText = "User already registered";
