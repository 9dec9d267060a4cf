import { toAppError } from "@/lib/errors.ts";
import { authMessageOf } from "./auth-message.ts";
import { sessionStrings } from "../strings.ts";

const reasons: Readonly<Record<string, string>> = {
  length: sessionStrings.passwordTooShort,
  characters: sessionStrings.passwordTooPlain,
  pwned: sessionStrings.passwordGuessable,
};
const codes: Readonly<Record<string, string>> = {
  current_password_required: sessionStrings.currentPasswordMissing,
  current_password_invalid: sessionStrings.currentPasswordWrong,
  same_password: sessionStrings.passwordSame,
};

/** Why the backend refused a password, in plain words; its own message for what is not about the password. */
export function passwordError(error: unknown, fallback: string): string {
  const given = (error as { reasons?: unknown } | null)?.reasons;
  const known = Array.isArray(given)
    ? given.flatMap((reason) => reasons[String(reason)] ?? [])
    : [];
  if (known.length > 0) return known.join(" ");
  return codes[toAppError(error).code] ?? authMessageOf(error, fallback);
}
