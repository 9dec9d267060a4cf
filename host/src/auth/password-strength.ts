import { AuthError, invalid, type WeakPassword } from "./auth-error.ts";
import type { AuthSettings } from "./settings.ts";

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const DIGITS = "0123456789";
const SYMBOLS = "!@#$%^&*()_+-=[]{};'\\:\"|<>?,./`~";
/** Bytes; bcrypt, which hosted projects may still use, reads no further. */
const LONGEST_PASSWORD = 72;

const REQUIRED_SETS: Readonly<Record<AuthSettings["password_requirements"], readonly string[]>> = {
  "": [],
  letters_digits: [LOWER + UPPER, DIGITS],
  lower_upper_letters_digits: [LOWER, UPPER, DIGITS],
  lower_upper_letters_digits_symbols: [LOWER, UPPER, DIGITS, SYMBOLS],
};

type Rules = Pick<AuthSettings, "minimum_password_length" | "password_requirements">;

/** What is weak about a password, or undefined when nothing is. */
export function findWeakness(password: string, rules: Rules): WeakPassword | undefined {
  const reasons: string[] = [];
  const messages: string[] = [];
  if (Buffer.byteLength(password) < rules.minimum_password_length) {
    reasons.push("length");
    messages.push(`Password should be at least ${rules.minimum_password_length} characters.`);
  }
  const sets = REQUIRED_SETS[rules.password_requirements];
  if (!sets.every((set) => set.split("").some((character) => password.includes(character)))) {
    reasons.push("characters");
    messages.push(`Password should contain at least one character of each: ${sets.join(", ")}.`);
  }
  return reasons.length > 0 ? { message: messages.join(" "), reasons } : undefined;
}

/** @throws {AuthError} 422 weak_password with reasons, or 400 when the password is too long. */
export function assertStrong(password: string, rules: Rules): void {
  if (Buffer.byteLength(password) > LONGEST_PASSWORD) {
    throw invalid(`Password cannot be longer than ${LONGEST_PASSWORD} characters`);
  }
  const weakPassword = findWeakness(password, rules);
  if (weakPassword) {
    throw new AuthError(422, "weak_password", weakPassword.message, { weakPassword });
  }
}
