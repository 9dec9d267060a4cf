// Decides whether a new password is strong enough; if not, the error gives GoTrue's `weak_password` reasons.

import { AuthError, validationFailed, type WeakPassword } from "../auth-error.ts";
import { loadGuessableCheck } from "./guessable-passwords.ts";
import type { AuthSettings } from "../settings.ts";

const lowerCaseLetters = "abcdefghijklmnopqrstuvwxyz";
const upperCaseLetters = lowerCaseLetters.toUpperCase();
const digits = "0123456789";
const symbols = "!@#$%^&*()_+-=[]{};'\\:\"|<>?,./`~";
/** bcrypt, which hosted projects may still use, ignores further bytes. */
const maxPasswordBytes = 72;

function requiredSets({ password_requirements, password_symbols }: Rules): readonly string[] {
  switch (password_requirements) {
    case "":
      return [];
    case "letters_digits":
      return [lowerCaseLetters + upperCaseLetters, digits];
    case "lower_upper_letters_digits":
      return [lowerCaseLetters, upperCaseLetters, digits];
    case "lower_upper_letters_digits_symbols":
      return [lowerCaseLetters, upperCaseLetters, digits, password_symbols ?? symbols];
  }
}

type Rules = Pick<
  AuthSettings,
  "minimum_password_length" | "password_requirements" | "password_symbols"
> &
  Partial<Pick<AuthSettings, "allow_guessable_passwords">>;

/** The project's rules that a password violates, or undefined when it meets all. */
export function findWeakness(password: string, rules: Rules): WeakPassword | undefined {
  const reasons: string[] = [];
  const messages: string[] = [];
  if (Buffer.byteLength(password) < rules.minimum_password_length) {
    reasons.push("length");
    messages.push(`Password should be at least ${rules.minimum_password_length} characters.`);
  }
  const sets = requiredSets(rules);
  if (!sets.every((set) => set.split("").some((character) => password.includes(character)))) {
    reasons.push("characters");
    messages.push(`Password should contain at least one character of each: ${sets.join(", ")}.`);
  }
  return reasons.length > 0 ? { message: messages.join(" "), reasons } : undefined;
}

const guessableError: WeakPassword = {
  message: "Password is known to be weak and easy to guess, please choose a different one.",
  reasons: ["pwned"],
};

/**
 * Requires a new password to meet the project's rules and not to be easy to guess.
 * @param owner address of the account in lower case, and words from the site's name, which count as guessable.
 * @throws {AuthError} 422 weak_password with reasons, or 400 when the password is too long.
 */
export async function assertStrongPassword(
  password: string,
  rules: Rules,
  owner: { email: string; siteWords: readonly string[] },
): Promise<void> {
  if (Buffer.byteLength(password) > maxPasswordBytes) {
    throw validationFailed(`Password cannot be longer than ${maxPasswordBytes} characters`);
  }
  const isRefused = async () =>
    rules.allow_guessable_passwords !== true &&
    (await loadGuessableCheck())(password, owner.email, owner.siteWords);
  const weakPassword =
    findWeakness(password, rules) ?? ((await isRefused()) ? guessableError : undefined);
  if (weakPassword) {
    throw new AuthError(422, "weak_password", weakPassword.message, { weakPassword });
  }
}
