import type { SupabaseClient } from "@supabase/supabase-js";
import { TOTP } from "otpauth";

/** A verified factor and what makes its codes. */
export interface SecondFactor {
  id: string;
  secret: string;
  /** A code that was not given out before: each is accepted once. */
  nextCode: () => string;
}

const stepMs = 30_000;
const steps = [0, 1] as const;

/**
 * Codes of a secret. A server accepts each once and one step of drift: the present one is given, then the next. The
 * one before is not, because it would be too old if a step ended on the way.
 */
export function codesOf(secret: string): () => string {
  let lastStep = -1;
  return () => {
    const nowMs = Date.now();
    const now = Math.floor(nowMs / stepMs);
    const step = steps.map((drift) => now + drift).find((one) => one > lastStep);
    if (step === undefined) throw new Error("two codes within one step; no further one is good");
    lastStep = step;
    return new TOTP({ secret }).generate({ timestamp: step * stepMs });
  };
}

/** Enrols a TOTP factor and verifies it, with which the client's session becomes one of level aal2. */
export async function enrollSecondFactor(
  client: SupabaseClient,
  friendlyName = "Phone",
): Promise<SecondFactor> {
  const { data, error } = await client.auth.mfa.enroll({ factorType: "totp", friendlyName });
  if (error) throw error;
  const { id, totp } = data;
  const nextCode = codesOf(totp.secret);
  await enterCode(client, id, nextCode());
  return { id, secret: totp.secret, nextCode };
}

/** Answers a new challenge of a factor with a code. @throws the auth server's error. */
export async function enterCode(
  client: SupabaseClient,
  factorId: string,
  code: string,
): Promise<void> {
  const { error } = await client.auth.mfa.challengeAndVerify({ factorId, code });
  if (error) throw error;
}
