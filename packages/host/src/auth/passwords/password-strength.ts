import { AuthError, invalid, type WeakPassword } from "../auth-error.ts";
import { isGuessable } from "./guessable-passwords.ts";
import type { AuthSettings } from "../settings.ts";

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const DIGITS = "0123456789";
const SYMBOLS = "!@#$%^&*()_+-=[]{};'\\:\"|<>?,./`~";
/** Bytes; bcrypt, which hosted projects may still use, reads no further. */
const LONGEST_PASSWORD = 72;

function requiredSets({ password_requirements, password_symbols }: Rules): readonly string[] {
  switch (password_requirements) {
    case "":
      return [];
    case "letters_digits":
      return [LOWER + UPPER, DIGITS];
    case "lower_upper_letters_digits":
      return [LOWER, UPPER, DIGITS];
    case "lower_upper_letters_digits_symbols":
      return [LOWER, UPPER, DIGITS, password_symbols ?? SYMBOLS];
  }
}

type Rules = Pick<
  AuthSettings,
  "minimum_password_length" | "password_requirements" | "password_symbols"
>;

/** Which of the project's rules a password breaks, or undefined when it meets all. */
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

const guessable: WeakPassword = {
  message: "Password is known to be weak and easy to guess, please choose a different one.",
  reasons: ["pwned"],
};

/**
 * Accepts a new password that meets the project's rules and is not easy to guess.
 * @param owner address of the account in lower case, and names of the site: neither makes a good password.
 * @throws {AuthError} 422 weak_password with reasons, or 400 when the password is too long.
 */
export async function assertStrong(
  password: string,
  rules: Rules,
  owner: { email: string; siteWords: readonly string[] },
): Promise<void> {
  if (Buffer.byteLength(password) > LONGEST_PASSWORD) {
    throw invalid(`Password cannot be longer than ${LONGEST_PASSWORD} characters`);
  }
  const weakPassword =
    findWeakness(password, rules) ??
    ((await isGuessable(password, owner.email, owner.siteWords)) ? guessable : undefined);
  if (weakPassword) {
    throw new AuthError(422, "weak_password", weakPassword.message, { weakPassword });
  }
}
