import { dashboardStrings } from "../strings.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** Signing up and the first session are that close together. */
const sameMomentMs = 5 * 60 * 1000;

/** The times of an account, in epoch milliseconds. */
interface AccountTimes {
  readonly joinedAt?: number;
  readonly signedInAt?: number;
}

/**
 * The dashboard's greeting. Nobody comes back on the first day of their first session, nor before they have done anything:
 * joining and onboarding may have taken several visits.
 */
export function greeting(
  firstName: string | null | undefined,
  times: AccountTimes | null,
  nowMs: number,
  hasDoneNothing = false,
): string {
  const words =
    hasDoneNothing || isFirstVisit(times ?? {}, nowMs)
      ? dashboardStrings.welcome
      : dashboardStrings.welcomeBack;
  return firstName ? `${words}, ${firstName}` : words;
}

function isFirstVisit({ joinedAt = 0, signedInAt = 0 }: AccountTimes, nowMs: number): boolean {
  return signedInAt - joinedAt < sameMomentMs && nowMs - joinedAt < dayMs;
}
