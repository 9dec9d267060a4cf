import { messageOf, toAppError } from "@/lib/errors.ts";
import { sessionMessages } from "../messages.ts";

const reasons: Readonly<Record<string, string>> = {
  length: sessionMessages.passwordTooShort,
  characters: sessionMessages.passwordTooPlain,
  pwned: sessionMessages.passwordGuessable,
};
const codes: Readonly<Record<string, string>> = {
  current_password_required: sessionMessages.currentPasswordMissing,
  current_password_invalid: sessionMessages.currentPasswordWrong,
  same_password: sessionMessages.passwordSame,
};

/** Why the backend refused a password, in plain words; its own message for what is not about the password. */
export function passwordError(error: unknown, fallback: string): string {
  const given = (error as { reasons?: unknown } | null)?.reasons;
  const known = Array.isArray(given)
    ? given.flatMap((reason) => reasons[String(reason)] ?? [])
    : [];
  if (known.length > 0) return known.join(" ");
  return codes[toAppError(error).code] ?? messageOf(error, fallback);
}
