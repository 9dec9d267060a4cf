import type { SupabaseClient } from "@supabase/supabase-js";
import { TOTP } from "otpauth";
import { testPassword } from "./test-account.ts";

/** A verified TOTP factor and its generator of codes. */
export interface EnrolledFactor {
  id: string;
  secret: string;
  /** A code that was not returned before, because each is accepted once. */
  nextCode: () => string;
}

const stepMs = 30_000;
const steps = [0, 1] as const;

/**
 * Generates codes of a secret. A server accepts each code once and one step of drift: first the current code is
 * returned, then the next. The previous one might expire before it arrives.
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

/** Enrols and verifies a TOTP factor, which raises the client's session to aal2. */
export async function enrollSecondFactor(
  client: SupabaseClient,
  friendlyName = "Phone",
): Promise<EnrolledFactor> {
  const { data, error } = await client.auth.mfa.enroll({ factorType: "totp", friendlyName });
  if (error) throw error;
  const { id, totp } = data;
  const nextCode = codesOf(totp.secret);
  await enterCode(client, id, nextCode());
  return { id, secret: totp.secret, nextCode };
}

/**
 * Enrols a factor and signs the client in anew with it: a code counts as fresh only if its factor is older than the
 * session.
 */
export async function signInWithSecondFactor(
  client: SupabaseClient,
  email: string,
): Promise<EnrolledFactor> {
  const factor = await enrollSecondFactor(client);
  const { error } = await client.auth.signInWithPassword({ email, password: testPassword });
  if (error) throw error;
  await enterCode(client, factor.id, factor.nextCode());
  return factor;
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
