import * as z from "zod/mini";
import { sessionStrings } from "../strings.ts";
import { loadIsGuessable, useIsGuessable } from "./guessable-password.ts";
import { meetsRules, rateStrength, type PasswordStrength } from "./password-strength.ts";

/** A new password, typed twice. */
export interface NewPassword {
  readonly password: string;
  readonly confirmation: string;
}

export const emptyPassword: NewPassword = { password: "", confirmation: "" };

/** The server takes no longer ones, in UTF-8: old ways of hashing ignore what follows. */
const maxPasswordBytes = 72;

function isTooLong(password: string): boolean {
  return new TextEncoder().encode(password).length > maxPasswordBytes;
}

/** What the server would refuse a password for that meets every rule, in its words; null when it would take it. */
function refusalOf(password: string, isGuessable: () => boolean): string | null {
  if (isTooLong(password)) return sessionStrings.passwordTooLong;
  return meetsRules(password) && isGuessable() ? sessionStrings.passwordGuessable : null;
}

/** How strong a new password is, and why it would be refused although it meets every rule. */
export interface NewPasswordRating {
  readonly strength: PasswordStrength;
  readonly refusal: string | null;
  /** True when it may be sent. While the list of guessable passwords is loading, sending waits for it. */
  readonly acceptable: boolean;
}

/**
 * Rates a new password while it is typed.
 * @param email address of the account; passwords that contain it are guessable.
 */
export function useNewPasswordRating(password: string, email: string): NewPasswordRating {
  const isGuessable = useIsGuessable(password !== "");
  const refusal = refusalOf(password, () => isGuessable?.(password, email.trim()) === true);
  const strength = rateStrength(password, refusal !== null);
  return { strength, refusal, acceptable: strength.acceptable };
}

/** The fields of a new password, for a form's schema. */
export const newPasswordFields = {
  password: z.string().check(z.refine(meetsRules, sessionStrings.passwordWeak)),
  confirmation: z.string(),
};

/** Compares the two passwords; a check of the whole form. */
export const passwordsMatch = z.refine<NewPassword>(
  ({ password, confirmation }) => password === confirmation,
  { path: ["confirmation"], error: sessionStrings.passwordsDiffer, when: () => true },
);

/** Refuses what the server would refuse although it meets every rule; a check of the whole form, which waits for the list. */
export function passwordAcceptedByServer<Fields extends NewPassword>(
  emailOf: (fields: Fields) => string,
) {
  return z.check<Fields>(async ({ value, issues }) => {
    const { password } = value;
    if (!meetsRules(password)) return;
    const isGuessable = await loadIsGuessable();
    const email = emailOf(value).trim();
    const message = refusalOf(password, () => isGuessable?.(password, email) === true);
    if (message === null) return;
    issues.push({ code: "custom", input: password, path: ["password"], message });
  });
}
