import { waitFor, withTimeout, type Clock } from "@/lib/clock.ts";
import { firstFactorDue, firstFactorLinkDue } from "@/lib/error-codes.ts";
import type { ProfileAnswer } from "../api/fetch-profile.ts";
import type { Profile } from "./profile.ts";

const profileAttempts = 10;
const profileWaitMs = 500;
const profileTimeoutMs = 90_000;

/**
 * What an administrator without a second factor may do: set one up in this session, or open a link from the mailbox
 * first.
 */
export type FirstFactor = "set-up" | "open-link";

/** `profile` is null when there is none; `failed` tells "could not find out" from "has none". */
export interface LoadedProfile {
  readonly profile: Profile | null;
  readonly failed: boolean;
  /** Set when the server answers nothing before a second factor is set up. */
  readonly firstFactor?: FirstFactor;
}

const firstFactors: Readonly<Record<string, FirstFactor>> = {
  [firstFactorDue]: "set-up",
  [firstFactorLinkDue]: "open-link",
};

export interface ProfileSource {
  readonly select: (userId: string) => Promise<ProfileAnswer>;
  /** Creates the profile of a user who has none, such as after confirming by e-mail. */
  readonly create: (userId: string) => Promise<unknown>;
}

/**
 * Reads a profile with patience: up to ten attempts, waiting 500 ms times the attempt's number
 * between them. The database's own refusal ends it at once; no row, no answer within 90 s and a
 * broken connection are tried again. A user still without a row at the second attempt gets one.
 */
export async function loadProfile(
  source: ProfileSource,
  clock: Clock,
  userId: string,
): Promise<LoadedProfile> {
  let failed = false;
  for (let attempt = 1; attempt <= profileAttempts; attempt += 1) {
    try {
      const answer = await withTimeout(clock, profileTimeoutMs, source.select(userId));
      if (answer.kind === "found") return { profile: answer.profile, failed: false };
      if (answer.kind === "failed") {
        const firstFactor = firstFactors[answer.error.code];
        return { profile: null, failed: true, ...(firstFactor && { firstFactor }) };
      }
      failed = false;
      if (attempt === 2) await source.create(userId).catch(() => undefined);
    } catch {
      failed = true;
    }
    if (attempt < profileAttempts) await waitFor(clock, profileWaitMs * attempt);
  }
  return { profile: null, failed };
}
