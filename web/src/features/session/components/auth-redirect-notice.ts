import { paths } from "@/domain/paths.ts";
import type { AuthRedirectParams } from "@/lib/auth-redirect.ts";
import { authLinkStrings, providerStrings, sessionStrings } from "../strings.ts";

export interface AuthRedirectNotice {
  readonly tone: "good" | "info" | "warn";
  readonly message: string;
}

/** What a link that was opened here, but asked for in another browser, has done; by the page it leads to. */
const doneElsewhere: Readonly<Record<string, string>> = {
  [paths.onboarding]: authLinkStrings.confirmed,
  [paths.account]: authLinkStrings.newConfirmed,
};

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
      return { tone: "info", message: authLinkStrings.halfWay };
    case "expired":
      return { tone: "warn", message: authLinkStrings.expired };
    case "provider-cancelled":
      return { tone: "info", message: providerStrings.cancelled };
    case "provider-unverified":
      return { tone: "warn", message: providerStrings.unverified };
    case "provider-failed":
      return { tone: "warn", message: providerStrings.failed };
    case "sign-up-closed":
      return { tone: "warn", message: providerStrings.signUpClosed };
    case "suspended":
      return { tone: "warn", message: sessionStrings.accountSuspended };
    case "failed":
      return { tone: "warn", message: authLinkStrings.failed };
    case "other-browser": {
      const done = doneElsewhere[link.pathname];
      const next =
        signedInAs === null ? authLinkStrings.signIn : authLinkStrings.stillSignedIn(signedInAs);
      return {
        tone: done === undefined ? "info" : "good",
        message: `${done ?? authLinkStrings.ignored} ${next}`,
      };
    }
  }
}
