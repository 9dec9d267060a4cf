import { useIsGuessable } from "./guessable-password.ts";
import { meetsRules, rateStrength, type PasswordStrength } from "./password-strength.ts";

/** A new password, typed twice. */
export interface NewPassword {
  readonly password: string;
  readonly confirmation: string;
}

export const emptyPassword: NewPassword = { password: "", confirmation: "" };

/** The server takes no longer ones, in UTF-8: old ways of hashing ignore what follows. */
const maxPasswordBytes = 72;

/** Why the server would refuse a password that meets every rule. */
export type PasswordRefusal = "passwordTooLong" | "passwordGuessable";

function isTooLong(password: string): boolean {
  return new TextEncoder().encode(password).length > maxPasswordBytes;
}

/** What the server would refuse a password for that meets every rule, null when it would take it. */
export function passwordRefusal(
  password: string,
  isGuessable: () => boolean,
): PasswordRefusal | null {
  if (isTooLong(password)) return "passwordTooLong";
  return meetsRules(password) && isGuessable() ? "passwordGuessable" : null;
}

/** How strong a new password is, and why it would be refused although it meets every rule. */
export interface NewPasswordRating {
  readonly strength: PasswordStrength;
  readonly refusal: PasswordRefusal | null;
  /** True when it may be sent. While the list of guessable passwords is loading, sending waits for it. */
  readonly acceptable: boolean;
}

/**
 * Rates a new password while it is typed.
 * @param email address of the account; passwords that contain it are guessable.
 */
export function useNewPasswordRating(password: string, email: string): NewPasswordRating {
  const isGuessable = useIsGuessable(password !== "");
  const refusal = passwordRefusal(password, () => isGuessable?.(password, email.trim()) === true);
  const strength = rateStrength(password, refusal !== null);
  return { strength, refusal, acceptable: strength.acceptable };
}
