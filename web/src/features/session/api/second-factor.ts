import type { BackendClient } from "@/lib/backend-client.ts";
import { callFunction, textOf } from "@/lib/call-function.ts";
import { firstFactorRefused } from "@/lib/error-codes.ts";
import { toAppError } from "@/lib/errors.ts";
import type { Refusal } from "@/lib/refusal.ts";
import { authRefusal } from "../model/auth-message.ts";
import { verifiedFactors, type VerifiedFactor } from "../model/authenticator-assurance.ts";

/** The second factors of the present account, as its session tells. */
export async function listFactors(client: BackendClient): Promise<readonly VerifiedFactor[]> {
  const { data, error } = await client.auth.getSession();
  if (error) throw error;
  return data.session ? verifiedFactors(data.session) : [];
}

type CodeRefusalCode = "codeWrong" | "codeTooMany" | "firstFactorRefused" | "codeFailed";

/** Why a code was not accepted. */
export type CodeRefusal = Refusal<CodeRefusalCode>;

const refusalCodes: Readonly<Record<string, CodeRefusalCode>> = {
  mfa_verification_failed: "codeWrong",
  mfa_challenge_expired: "codeWrong",
  over_request_rate_limit: "codeTooMany",
  [firstFactorRefused]: "firstFactorRefused",
};

/** Answers a new challenge with a code. Answers with why it was not accepted, null when it was. */
export async function verifyCode(
  client: BackendClient,
  factorId: string,
  code: string,
): Promise<CodeRefusal | null> {
  try {
    const { error } = await client.auth.mfa.challengeAndVerify({ factorId, code });
    if (!error) return null;
    const known = refusalCodes[toAppError(error).code];
    return known === undefined ? authRefusal(error, "codeFailed") : { code: known };
  } catch (error) {
    return authRefusal(error, "codeFailed");
  }
}

/**
 * Removes the second factor with a recovery code, and reads the session again, which then asks for none.
 * Answers with why not, null when it worked.
 */
export async function redeemRecoveryCode(
  client: BackendClient,
  code: string,
): Promise<CodeRefusal | null> {
  const { status, body } = await callFunction(client, "use-recovery-code", { code });
  if (status !== 200) {
    const message = textOf(body, "error");
    return message === "" ? { code: "codeFailed" } : { message };
  }
  const { error } = await client.auth.refreshSession();
  return error ? authRefusal(error, "codeFailed") : null;
}
