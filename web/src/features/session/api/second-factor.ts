import type { BackendClient } from "@/lib/backend-client.ts";
import { callFunction, textOf } from "@/lib/call-function.ts";
import { firstFactorRefused } from "@/lib/error-codes.ts";
import { toAppError } from "@/lib/errors.ts";
import { sessionStrings } from "../strings.ts";
import { authMessageOf } from "../model/auth-message.ts";
import {
  isSecondFactorRequired,
  verifiedFactors,
  type VerifiedFactor,
} from "../model/authenticator-assurance.ts";

/** The authenticator apps of the present account, as its session tells. */
export async function listFactors(client: BackendClient): Promise<readonly VerifiedFactor[]> {
  const { data, error } = await client.auth.getSession();
  if (error) throw error;
  return data.session ? verifiedFactors(data.session) : [];
}

/** True while the present session still has to show its second factor. */
export async function isCodeRequired(client: BackendClient): Promise<boolean> {
  const { data } = await client.auth.getSession();
  return data.session !== null && isSecondFactorRequired(data.session);
}

const messages: Readonly<Record<string, string>> = {
  mfa_verification_failed: sessionStrings.codeWrong,
  mfa_challenge_expired: sessionStrings.codeWrong,
  over_request_rate_limit: sessionStrings.codeTooMany,
  [firstFactorRefused]: sessionStrings.firstFactorRefused,
};

/** Answers a new challenge with a code. Answers with the message to show, null when it was right. */
export async function verifyCode(
  client: BackendClient,
  factorId: string,
  code: string,
): Promise<string | null> {
  try {
    const { error } = await client.auth.mfa.challengeAndVerify({ factorId, code });
    if (!error) return null;
    return messages[toAppError(error).code] ?? authMessageOf(error, sessionStrings.codeFailed);
  } catch (error) {
    return authMessageOf(error, sessionStrings.codeFailed);
  }
}

/**
 * Removes the second factor with a recovery code, and reads the session again, which then asks for none.
 * Answers with the message to show, null when it worked.
 */
export async function redeemRecoveryCode(
  client: BackendClient,
  code: string,
): Promise<string | null> {
  const { status, body } = await callFunction(client, "use-recovery-code", { code });
  if (status !== 200) {
    const message = textOf(body, "error");
    return message === "" ? sessionStrings.codeFailed : message;
  }
  const { error } = await client.auth.refreshSession();
  return error ? authMessageOf(error, sessionStrings.codeFailed) : null;
}
