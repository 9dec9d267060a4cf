import { retryLaterMessage, toAppError } from "@/lib/errors.ts";

/** The passkeys section of the account page. */
export const passkeyStrings = {
  loading: "Loading your passkeys",
  loadFailed: "We couldn't load your passkeys",
  label: "Your passkeys",
  none: "You don't have any passkeys yet.",
  unnamed: "Passkey",
  add: "Add a passkey",
  added: "Your passkey is ready. You can sign in with it from now on.",
  aborted: "No passkey was added.",
  unknownHere: "This browser doesn't support passkeys. Try another browser or device.",
  addedOn: (date: string) => `Added on ${date}`,
  lastUsed: (ago: string) => `Last used ${ago}`,
  neverUsed: "Not used yet",
  rename: "Rename",
  renameNamed: (name: string) => `Rename ${name}`,
  renameTitle: "Rename this passkey",
  renameText: "Only you see the name. It helps you tell your passkeys apart.",
  name: "Name",
  nameMissing: "Enter a name.",
  nameTooLong: (most: number) => `Use at most ${most} characters.`,
  saveName: "Save name",
  cancel: "Cancel",
  remove: "Remove",
  removeNamed: (name: string) => `Remove ${name}`,
  removeTitle: "Remove this passkey?",
  removeText:
    "You'll no longer be able to sign in with it, and devices that signed in with a passkey are signed out. Delete it on your device too.",
  removeConfirm: "Remove passkey",
  removed: "Passkey removed.",
  keep: "Keep it",
} as const;

/** Tells the member why adding, renaming or removing a passkey failed. */
export function explainPasskeyError(error: unknown): string {
  const { code } = toAppError(error);
  if (code === "too_many_passkeys")
    return "You already have ten passkeys, the most an account can have. Remove one first.";
  if (code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED") {
    return "This device already has a passkey for your account.";
  }
  if (code === "insufficient_aal") return "Sign in again with your second factor first.";
  if (code === "reauthentication_needed")
    return "You signed in more than ten minutes ago. Sign out, sign in again and add it then.";
  if (code === "passkey_disabled") return "Passkeys have been switched off. Reload the page.";
  if (code === "webauthn_challenge_expired") return "That took too long. Please try again.";
  return (
    retryLaterMessage(error) ??
    "Your passkeys weren't changed. Check your connection and try again."
  );
}
