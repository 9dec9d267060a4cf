import { keyRefusal, securityKeyStrings } from "@/features/session/index.ts";
import { toAppError } from "@/lib/errors.ts";
import { isCeremonyAborted } from "@/lib/passkey-support.ts";
import { refusalText } from "@/lib/refusal.ts";
import { FactorError, SecurityKeyError } from "../api/second-factor.ts";
import { keyFactorStrings } from "../strings/security-keys.ts";
import { factorErrorText } from "./factor-error-text.ts";

/** Why a security key was not added, in words for its owner. */
export function explainKeyError(error: unknown): string {
  if (error instanceof FactorError) return factorErrorText(error);
  const cause = error instanceof SecurityKeyError ? error.cause : error;
  if (isCeremonyAborted(cause)) return keyFactorStrings.aborted;
  if (cause instanceof DOMException && cause.name === "InvalidStateError") {
    return keyFactorStrings.known;
  }
  if (toAppError(cause).code === "mfa_verification_failed") return keyFactorStrings.refused;
  return refusalText(keyRefusal(cause), securityKeyStrings);
}
