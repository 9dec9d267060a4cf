import { brand } from "@/domain/brand.ts";

/** Messages of forms, alerts and toasts about signing up, in and out, codes, links, passwords and addresses. */
export const sessionStrings = {
  alreadyRegistered: "An account with this email already exists. Redirecting you to sign in...",
  signUpFailed: "An error occurred during sign up",
  sessionMissing: "Your account was created, but no session was started. Please try signing in.",
  profileFailed: "Account created but failed to initialize profile. Please try signing in.",
  signUpDone: "Account created successfully! You can now sign in.",
  passwordsDiffer: "Passwords do not match",
  passwordWeak: "Please ensure your password meets all requirements",
  emailMissing: "Please enter your email address",
  emailNotPlain:
    "Please use an email address with only plain letters (a to z) before the @. Many mail servers can't deliver to any other.",
  emailInvalid: "Please enter a valid email address",
  passwordMissing: "Please enter your password",
  passwordTooShort: "Use at least 12 characters.",
  passwordTooLong:
    "Use at most 72 characters. Accents, emoji and letters beyond A–Z count as two to four each.",
  passwordTooPlain:
    'Use an uppercase letter, a lowercase letter, a digit and one of !@#$%^&*(),.?":{}|<>.',
  passwordGuessable:
    "This password is easy to guess because it is common or based on your email address. Please choose another one.",
  passwordSame: "This is your current password. Please choose a different one.",
  currentPasswordMissing: "Please enter your current password",
  currentPasswordWrong: "This is not your current password",
  signInFailed: "An error occurred during sign in",
  passkeyAborted:
    "No passkey was used. If you don't have one for this site on this device, sign in another way.",
  passkeyUnknown: "This passkey no longer opens an account here. Sign in another way.",
  signInByLink: "Or choose “Forgotten your password?” and we'll email you a link.",
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
  firstFactorRefused:
    "You signed in too long ago to set up your first authenticator app. Sign out, then ask for a link to choose a new password.",
  codeFailed: "We couldn't check the code. Check your connection and try again.",
  factorRecovered: "Your second factor has been removed. Set up a new one on your account page.",
  accountSuspended: `Your account is suspended, so you can't sign in. We emailed you the reason. If you think this is a mistake, write to ${brand.supportEmail}.`,
  sessionEnded: "You have been signed out. Please sign in again.",
  signedOutElsewhere: "You signed out in another tab.",
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
  signInTooOld:
    "You signed in more than ten minutes ago. Sign out, sign in again, then set your password.",
  passwordUpdateFailed: "We couldn't change your password. Please try again.",
  emailChangeFailed: "We couldn't change your email address. Please try again.",
  emailTaken: "Another account uses this email address.",
} as const;

/** Said where an address leads that is not open to the person who asked for it. */
export const closedPageAlertStrings = {
  /** Such as `Business opens at Level 3.` */
  level: (name: string, level: number) => `${name} opens at Level ${level}.`,
  seeProgress: "See what's left to do",
  seeMembership: "See your membership and the mentor plan",
  reasons: {
    "mentors-home": "That page is for mentors. This is your own Home.",
    studio: "The studio is for mentors.",
    console: "That page is for administrators.",
    "sign-in": "That page is for members. Sign in first.",
    membership: "That page needs an active membership.",
    onboarding: "Finish these steps first, and that page opens.",
  },
} as const;

/** What several pages and forms share. */
export const authPageStrings = {
  toFrontPage: `${brand.name} home page`,
  back: "BACK",
  email: "Email",
  password: "Password",
  newPassword: "New password",
  confirmPassword: "Confirm password",
  currentPassword: "Current password",
  oneTimePassword: "One-time password",
} as const;

/** On `/auth`. */
export const authChoiceStrings = {
  title: "Welcome",
  intro: "New here, or coming back?",
  signUp: "SIGN UP",
  signIn: "SIGN IN",
  trouble: "Trouble signing in?",
  stuck:
    "Infinite loading? It usually means that the backend is not configured or not reachable, or that an old session is stuck in this browser. Clearing it signs you out on this device and reloads the page.",
  clear: "Clear Auth State",
} as const;

export const signInStrings = {
  title: "Welcome Back",
  intro: "Sign in to carry on where you left off.",
  submit: "Sign in",
  forgotten: "Forgotten your password?",
  /** The link to sign-up follows. */
  newHere: "New here? ",
  signUp: "Create an account",
} as const;

/** Signing in with Google, Apple or a passkey. */
export const providerStrings = {
  names: { google: "Google", apple: "Apple" },
  or: "or",
  passkey: "Sign in with a passkey",
  continueWith: (provider: string) => `Continue with ${provider}`,
  cancelled: "You cancelled before signing in. Nothing has changed.",
  unverified:
    "We can't use that account because its email address hasn't been verified there. Verify it, or sign in with your password.",
  failed: "We couldn't sign you in that way. Please try again, or use your email and password.",
  signUpClosed: "New accounts can't be created at the moment.",
} as const;

export const adminSignInStrings = {
  title: "Admin Login",
  intro: "For administrators only.",
  email: "Admin email",
  submit: "Sign in",
  /** The link to the members' sign-in follows. */
  notAdmin: "Not an administrator? ",
  signIn: "Sign in as a member",
} as const;

export const signUpStrings = {
  title: "Create your account",
  intro: (buysCourse: boolean) =>
    buysCourse
      ? "You'll read the course with this account. Payment comes next; nothing is charged on this page."
      : "You'll choose a plan next. Nothing is charged on this page.",
  submit: "Create account",
  /** The link to sign-in follows. */
  member: "Already a member? ",
  signIn: "Sign in",
} as const;

/** After sign-up, while a link is to be followed. */
export const confirmEmailStrings = {
  title: "Check your inbox",
  intro: "One more step before your account is ready.",
  sentTitle: "We sent you a link",
  /** The address stands between the two. */
  sentBefore: "Follow the link we sent to ",
  sentAfter:
    " and press the button there. In this browser it takes you straight on. On another device it confirms your address, and then you sign in here. Can't find it? Check your spam folder, send it again, or sign up with another address.",
  resend: "Send the link again",
  signIn: "I've confirmed my email, sign in",
} as const;

/** Said before signing in, where the browser keeps nothing for the site. */
export const storageAlertStrings = {
  title: "This browser can't keep you signed in",
  full: "Its storage is full, so you stay signed in only until you close or reload this tab. Free some space on this device, or clear the data of sites you don't need.",
  blocked:
    "It blocks storage for this site, so you stay signed in only until you close or reload this tab. Allow cookies and site data for this site, or leave the private window.",
} as const;

/** Asks for a link to choose a new password. */
export const resetPasswordStrings = {
  title: "Reset your password",
  intro: "Enter your email address and we'll send you a link to choose a new password.",
  submit: "Send the link",
  sentTitle: "Check your inbox",
  /** The address stands between the two. */
  sentBefore: "If ",
  sentAfter:
    " belongs to an account, a link is on its way. Open it on any device. It works once and expires after one hour.",
  sendNew: "Send a new link",
  signIn: "Back to sign in",
} as const;

export const updatePasswordStrings = {
  checking: "Checking your link",
  title: "Choose a new password",
  ownTitle: "Choose your own password",
  ownIntro: (email: string) => `You signed in as ${email} with a one-time password.`,
  submit: "Change password",
  /** For an account that doesn't have a password yet. */
  first: "Set password",
  doneTitle: "Password changed",
  goOn: "Continue",
  unusableTitle: (askedElsewhere: boolean) =>
    askedElsewhere ? "This link can't be used here" : "This link no longer works",
  unusable: (askedElsewhere: boolean) =>
    askedElsewhere
      ? "It was requested in another browser and works only there. Request a new link here and open it in this browser."
      : "Links work once and expire after one hour. Please request a new one.",
  notUsedTitle: "The link was not used",
  newLink: "Send a new link",
} as const;

/** What the link of an email has done. */
export const authLinkStrings = {
  expired: "This link no longer works. Links work once and expire after one hour.",
  failed: "This link didn't work. Sign in, or request a new link.",
  halfWay:
    "One of your two email addresses is confirmed. Now open the link we sent to the other one.",
  confirmed: "Your email address is confirmed.",
  newConfirmed: "Your new email address is confirmed.",
  ignored: "This sign-in link was requested in another browser, so it doesn't work here.",
  signIn: "Sign in to continue.",
  stillSignedIn: (email: string) => `You are still signed in as ${email}.`,
} as const;

/** On `/confirm`, where the links of emails lead. */
export const confirmLinkStrings = {
  kinds: {
    signup: {
      title: "Confirm your address",
      intro: "Press the button to confirm that this email address is yours.",
      button: "Confirm my address",
    },
    recovery: {
      title: "Choose a new password",
      intro: "Press the button, then choose the new password for your account.",
      button: "Continue",
    },
    email_change: {
      title: "Confirm the change of address",
      intro: "Press the button to agree to the change of your account's email address.",
      button: "Confirm the change",
    },
    invite: {
      title: `Welcome to ${brand.name}`,
      intro: "Press the button to accept the invitation, then choose a password.",
      button: "Accept the invitation",
    },
  },
  failed: "We couldn't open the link. Check your connection and try again.",
  incompleteTitle: "This link is incomplete",
  incomplete:
    "Open the link in the email again. If it's cut off there, copy the whole address, or ask for a new link.",
  expiredTitle: "This link no longer works",
  expired: "Links work once and expire after one hour.",
  /** Follows what is said of every link that no longer works. */
  afterExpiry: {
    signup: "If you've already confirmed your address, sign in. If not, ask for a new link.",
    recovery: "Please ask for a new one.",
    email_change: "If your address hasn't changed yet, start again on your account page.",
    invite: "To get in, ask for a link to choose a new password.",
  },
  confirmedTitle: "Address confirmed",
  changed: (email: string) => `Your email address is now ${email}. Use it to sign in.`,
  halfWayTitle: "One more inbox",
  otherAccountTitle: "This link belongs to another account",
  otherAccount: (confirmed: boolean) =>
    confirmed
      ? "It confirmed the address of that account."
      : "It changed nothing here. To use such a link, sign out first, then ask for a new one.",
  signIn: "Sign in",
  toAccount: "Go to your account",
  goOn: "Continue",
} as const;

/** What a new password needs, and how strong it is. */
export const passwordStrengthStrings = {
  /** One of the names follows. */
  label: "Password strength: ",
  names: { Weak: "Weak", Fair: "Fair", Good: "Good", Strong: "Strong" },
  rules: {
    length: "At least 12 characters",
    upper: "An uppercase letter",
    lower: "A lowercase letter",
    digit: "A digit",
    special: 'A special character: !@#$%^&*(),.?":{}|<>',
  },
  /** Follows a rule. */
  metOrNot: (met: boolean) => (met ? ", met" : ", not met yet"),
} as const;

/** While it is looked up what the second factor is. */
export const secondFactorStepStrings = {
  title: "One more step",
  loading: "Loading your second factor",
} as const;

/** Where a page is closed to administrators without a second factor. */
export const secondFactorNeededStrings = {
  title: "This page needs a second factor",
  purpose: "see members' data",
  text: (purpose: string, withKeys: boolean) =>
    `A password alone isn't enough to ${purpose}. Set up an authenticator app${withKeys ? " or a security key" : ""} on your account page, then come back here.`,
  setUp: "Set up second factor",
} as const;

export const changeEmailStrings = {
  email: "New email",
  submit: "Change email",
  same: "This is your email address already.",
  changed: (email: string) => `Your email address is now ${email}.`,
  confirmTitle: "Check both inboxes",
  confirm: (email: string, current: string) =>
    `Follow the link we sent to ${email}. Until then, your address is still ${current}.`,
} as const;

export const signOutStrings = {
  here: "Sign out",
  everywhere: "Sign out everywhere",
  everywhereTitle: "Sign out everywhere?",
  everywhereText:
    "You'll be signed out on this and every other device, and you'll need your password to sign back in.",
  stay: "Stay signed in",
} as const;
