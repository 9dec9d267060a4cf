import { toAppError } from "@/lib/errors.ts";
import { authMessageOf } from "./auth-message.ts";
import { sessionStrings } from "../strings.ts";

/** Why a password was not taken, and the field to say it at; null when it is about none of them. */
export interface PasswordError {
  readonly field: "current" | "password" | null;
  readonly message: string;
}

const reasons: Readonly<Record<string, string>> = {
  length: sessionStrings.passwordTooShort,
  characters: sessionStrings.passwordTooPlain,
  pwned: sessionStrings.passwordGuessable,
};
const codes: Readonly<Record<string, PasswordError>> = {
  current_password_required: { field: "current", message: sessionStrings.currentPasswordMissing },
  current_password_invalid: { field: "current", message: sessionStrings.currentPasswordWrong },
  same_password: { field: "password", message: sessionStrings.passwordSame },
};

/** Why the backend refused a password, in plain words; its own message for what is not about the password. */
export function passwordError(error: unknown, fallback: string): PasswordError {
  const given = (error as { reasons?: unknown } | null)?.reasons;
  const known = Array.isArray(given)
    ? given.flatMap((reason) => reasons[String(reason)] ?? [])
    : [];
  if (known.length > 0) return { field: "password", message: known.join(" ") };
  const message = authMessageOf(error, fallback);
  return codes[toAppError(error).code] ?? { field: null, message };
}
