import { toAppError } from "@/lib/errors.ts";
import { authRefusal } from "./auth-message.ts";

type PasswordErrorCode =
  | "passwordTooShort"
  | "passwordTooPlain"
  | "passwordGuessable"
  | "currentPasswordMissing"
  | "currentPasswordWrong"
  | "passwordSame"
  | "signInTooOld"
  | "passwordUpdateFailed"
  | "signUpFailed"
  | "sessionMissing"
  | "profileFailed";

/** Why a password was not taken, and the field to say it at; null when it is about none of them. */
export type PasswordError = { readonly field: "current" | "password" | null } & (
  | { readonly codes: readonly PasswordErrorCode[] }
  /** In the backend's words. */
  | { readonly message: string }
);

const reasons: Readonly<Record<string, PasswordErrorCode>> = {
  length: "passwordTooShort",
  characters: "passwordTooPlain",
  pwned: "passwordGuessable",
};
const errors: Readonly<Record<string, PasswordError>> = {
  current_password_required: { field: "current", codes: ["currentPasswordMissing"] },
  current_password_invalid: { field: "current", codes: ["currentPasswordWrong"] },
  same_password: { field: "password", codes: ["passwordSame"] },
  reauthentication_needed: { field: null, codes: ["signInTooOld"] },
};

/** Why the backend refused a password; the fallback, or its own message, for what is not about the password. */
export function passwordError(
  error: unknown,
  fallback: "passwordUpdateFailed" | "signUpFailed",
): PasswordError {
  const given = (error as { reasons?: unknown } | null)?.reasons;
  const known = Array.isArray(given)
    ? given.flatMap((reason) => reasons[String(reason)] ?? [])
    : [];
  if (known.length > 0) return { field: "password", codes: known };
  const refusal = authRefusal(error, fallback);
  return (
    errors[toAppError(error).code] ?? {
      field: null,
      ...("code" in refusal ? { codes: [refusal.code] } : refusal),
    }
  );
}
