import { paths } from "@/domain/paths.ts";
import type { AuthRedirectParams } from "@/lib/auth-redirect.ts";

export interface AuthRedirectNotice {
  readonly tone: "good" | "info" | "warn";
  readonly message: string;
}

const expired: AuthRedirectNotice = {
  tone: "warn",
  message: "This link no longer works. Links work once and expire after one hour.",
};
const failed: AuthRedirectNotice = {
  tone: "warn",
  message: "This link didn't work. Sign in, or request a new link.",
};
const halfWay: AuthRedirectNotice = {
  tone: "info",
  message:
    "One of your two email addresses is confirmed. Now open the link we sent to the other one.",
};

/** What a link that was opened here, but asked for in another browser, has done; by the page it leads to. */
const doneElsewhere: Readonly<Record<string, string>> = {
  [paths.onboarding]: "Your email address is confirmed.",
  [paths.account]: "Your new email address is confirmed.",
};
const ignored = "This sign-in link was requested in another browser, so it doesn't work here.";

/**
 * What to tell about the link that began this visit; null when there is nothing to tell.
 * @param signedInAs address of the session that was there before and goes on; null without one.
 */
export function authRedirectNotice(
  { link }: AuthRedirectParams,
  signedInAs: string | null,
): AuthRedirectNotice | null {
  switch (link?.outcome) {
    case undefined:
    case "signed-in":
      return null;
    case "awaiting-other-inbox":
      return halfWay;
    case "expired":
      return expired;
    case "failed":
      return failed;
    case "other-browser": {
      const done = doneElsewhere[link.pathname];
      const next =
        signedInAs === null ? "Sign in to continue." : `You are still signed in as ${signedInAs}.`;
      return { tone: done === undefined ? "info" : "good", message: `${done ?? ignored} ${next}` };
    }
  }
}
