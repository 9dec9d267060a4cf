/** Security keys and passkeys as second factor, where they are on. */
export const keyFactorStrings = {
  intro: "A code from an app on your phone, or a security key, in addition to your password.",
  add: "Add a security key or passkey",
  addApp: "Add an authenticator app",
  setUpApp: "Set up an authenticator app",
  listLabel: "Your second factors",
  unnamed: "Security key",
  addedOn: (date: string) => `Added on ${date}`,
  unsupported:
    "This browser doesn't support security keys, so you can't add one here. Try another browser or device.",
  name: "Name of the key",
  nameHint:
    "To help you recognise it later, such as “Blue key” or “My laptop”. Your browser asks for the key next.",
  removeTitle: "Remove this key?",
  removeText: (isLast: boolean) =>
    isLast
      ? "Your account will ask for your password only."
      : "It will no longer be accepted. Delete a passkey on your device too.",
  removeConfirm: "Remove key",
  removed: "The key was removed.",
  firstFactor:
    "Administrators sign in with a password and a second factor. Set up an authenticator app or a security key now: nothing else opens before one is on.",
  aborted: "No key was added. Try again when you have it ready.",
  refused: "That key wasn't accepted. Try again, or use another one.",
  known: "This key is on your account already. Use another one.",
} as const;
