import { retryLaterMessage, toAppError } from "@/lib/errors.ts";

/** Of the passkeys on the account page. */
export const passkeyStrings = {
  loading: "Loading your passkeys",
  loadFailed: "We couldn't load your passkeys",
  label: "Your passkeys",
  none: "You have no passkey yet.",
  unnamed: "Passkey",
  add: "Add a passkey",
  added: "Your passkey is ready. You can sign in with it from now on.",
  aborted: "No passkey was added.",
  unknownHere: "This browser doesn't know passkeys.",
  addedOn: (date: string) => `Added on ${date}`,
  lastUsed: (ago: string) => `Last used ${ago}`,
  neverUsed: "Not used yet",
  rename: "Rename",
  renameNamed: (name: string) => `Rename ${name}`,
  renameTitle: "Rename this passkey",
  renameText: "The name is only for you, to tell your passkeys apart.",
  name: "Name",
  nameMissing: "Enter a name.",
  nameTooLong: (most: number) => `Use at most ${most} characters.`,
  saveName: "Save name",
  cancel: "Cancel",
  remove: "Remove",
  removeNamed: (name: string) => `Remove ${name}`,
  removeTitle: "Remove this passkey?",
  removeText:
    "You can't sign in with it any more, and devices that are signed in with a passkey are signed out. Delete it on your device, too.",
  removeConfirm: "Remove passkey",
  removed: "The passkey is removed.",
  keep: "Keep it",
} as const;

/** Why the passkeys were not changed, for the member. */
export function explainPasskeyError(error: unknown): string {
  const { code } = toAppError(error);
  if (code === "too_many_passkeys")
    return "You have ten passkeys, which is the most. Remove one first.";
  if (code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED") {
    return "This device already has a passkey for your account.";
  }
  if (code === "insufficient_aal")
    return "Sign in again and enter the code of your second factor first.";
  if (code === "webauthn_challenge_expired") return "That took too long. Please try again.";
  return (
    retryLaterMessage(error) ??
    "Your passkeys weren't changed. Check your connection and try again."
  );
}
