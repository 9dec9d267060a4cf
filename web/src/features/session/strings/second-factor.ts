import { brand } from "@/domain/brand.ts";

/** Asks for the second factor, or for a recovery code instead. */
export const secondFactorFormStrings = {
  title: "Enter your code",
  keyTitle: "Use your security key",
  submit: "Continue",
  submitKey: "Use your security key",
  recoveryCode: "Recovery code",
  recoveryCodeHint:
    "One of the ten codes you saved. It works once and removes your second factor, so you can set up a new one.",
  submitRecoveryCode: "Use recovery code",
  recoveryCodeInstead: "Use a recovery code instead",
  /** Leads back from the recovery code. */
  factorInstead: { code: "Enter a code instead", key: "Use your security key instead" },
  signOut: "Sign out",
} as const;

/** The fields of a code, and what stands in their place for a security key. */
export const secondFactorFieldStrings = {
  device: "Device",
  unnamed: { app: "Authenticator", key: "Security key" },
  key: "Security key",
  instead: { app: "Enter a code instead", key: "Use your security key instead" },
  /** @param name the name its owner gave it; may be empty. */
  keyReady: (name: string) =>
    `Have ${name === "" ? "your security key or passkey" : `“${name}”`} ready. Your browser asks for it when you go on.`,
  unsupported:
    "This browser doesn't support security keys. Use another browser, or the device you added the key on.",
} as const;

/** What the code is called at the sign-in. */
export const codeTexts = {
  label: "Code",
  hint: "The six digits your authenticator app shows for this account.",
} as const;

/** What it is called in the console, among other fields. */
export const freshCodeTexts = {
  label: "Code from your authenticator app",
  hint: "The six digits your authenticator app shows now.",
} as const;

/** Why a security key was not accepted, at the sign-in and where one is added. */
export const securityKeyStrings = {
  keyAborted: "No security key was used. Try again when you have it ready.",
  keyWrong: "That key wasn't accepted. Use one that you added to your account.",
  keyTooLate: "That took too long. Please try again.",
  keyTooMany: "Too many attempts. Wait a moment, then try again.",
  keysOff: `Security keys have been switched off here. Use another way, or write to ${brand.supportEmail}.`,
  firstFactorRefused:
    "You signed in too long ago to add your first security key. Sign out, then ask for a link to choose a new password.",
  keyFailed: "We couldn't check your security key. Check your connection and try again.",
} as const;
