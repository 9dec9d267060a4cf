import { toAppError, tryAgain } from "@/lib/errors.ts";
import type { MembershipStatus } from "./model/member.ts";
import { CodeRefused } from "./api/member-acts.ts";

export const membershipNames: Readonly<Record<MembershipStatus, string>> = {
  paying: "Paying",
  complimentary: "Complimentary",
  past_due: "Past due",
  lapsed: "Lapsed",
  never_paid: "Never paid",
};

/** Colours of the badges. */
export const membershipColours = {
  paying: "good",
  complimentary: "info",
  past_due: "warn",
  lapsed: "plain",
  never_paid: "plain",
} as const satisfies Record<MembershipStatus, string>;

/** What the running subscription does during a suspension, for the administrator who decides about one. */
export function subscriptionWarning(
  subscription: { readonly plan: string | null; readonly endsWithPeriod: boolean },
  periodEnds: string | null,
): string {
  const plan = subscription.plan ?? "The subscription";
  return subscription.endsWithPeriod
    ? `${plan} is not stopped by this. It ends ${periodEnds === null ? "with its period" : `on ${periodEnds}`}, as the member chose.`
    : `${plan} is not stopped by this. It renews${periodEnds === null ? "" : ` on ${periodEnds}`} and is paid, and the member can't cancel it while suspended. Stop the renewal if they should not pay, and refund under Money what was paid.`;
}

const messages: Readonly<Record<string, string>> = {
  FF342: "This member no longer has a picture.",
  FF005: "Your second factor is no longer on in this session. Sign in again, then repeat this.",
  FF006: "The code was entered too long ago. Enter the latest one.",
  FF007:
    "You set this second factor up after you signed in. Sign out, sign in again with its code, then repeat this.",
  FF510: "This account no longer exists.",
  FF511: "Give a reason of at most 500 characters.",
  FF512: "Another administrator was first. The panel shows how the account stands now.",
  FF513: "Another administrator has to do this to your own account.",
  FF514: "Take the administrator role away first.",
  FF515: "Choose between 1 and 365 days.",
  FF516: "Another administrator was first. The panel shows how the account stands now.",
  FF517: "A suspended account, or one whose address isn't confirmed, can't be an administrator.",
  FF657: "Only mentors can publish without a review. This account isn't one now.",
  FF520: "There is no subscription that renews. The panel shows how the account stands now.",
  provider_unavailable: "The card provider did not answer. Try again: it is done once only.",
  FF518: "Write a note of at most 2,000 characters.",
};

/** Why an act was not done, in words for the administrator. */
export function explainActError(error: unknown): string {
  if (error instanceof CodeRefused) return error.message;
  return messages[toAppError(error).code] ?? `That wasn't saved. ${tryAgain}`;
}
