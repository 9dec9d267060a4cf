import { dashboardOf, paths } from "@/domain/paths.ts";
import { requirementOf } from "./requirements.ts";
import type { Viewer } from "./viewer.ts";

export type Decision =
  | { readonly kind: "allow" }
  | { readonly kind: "redirect"; readonly to: string }
  /** A query the decision needs is still running. */
  | { readonly kind: "wait" }
  /** A second factor has to be set up in place of every page. */
  | { readonly kind: "first-factor" }
  /** Access is unknown because a request failed. A paying member must not be sent to the paywall. */
  | { readonly kind: "unavailable" };

type Member = Extract<Viewer, { kind: "member" }>;

const allow: Decision = { kind: "allow" };
const redirect = (to: string): Decision => ({ kind: "redirect", to });

/** May this viewer see this address, and if not, where do they belong? */
export function decideAccess(pathname: string, viewer: Viewer): Decision {
  const requirement = requirementOf(pathname);
  if (requirement.kind === "moved") return redirect(requirement.to);
  if (requirement.kind === "open") return allow;
  if (viewer.kind === "loading") return { kind: "wait" };
  if (viewer.kind === "failed") return { kind: "unavailable" };
  if (viewer.kind === "first-factor") return { kind: "first-factor" };
  if (viewer.kind === "anonymous") {
    return requirement.kind === "auth-page" ? allow : redirect(paths.auth);
  }
  if (viewer.mustChoosePassword === true) return redirect(paths.updatePassword);
  switch (requirement.kind) {
    case "auth-page":
      return checkMembership(viewer, true) ?? redirect(dashboardOf[viewer.role]);
    case "signed-in":
      return allow;
    case "onboarding":
      return (
        checkMembership(viewer, false) ??
        (viewer.onboardingComplete ? redirect(dashboardOf[viewer.role]) : allow)
      );
    case "role":
      return (
        checkMembership(viewer, true) ??
        (viewer.role === requirement.role ? allow : redirect(dashboardOf[viewer.role]))
      );
    case "mentors":
      return (
        checkMembership(viewer, true) ??
        (viewer.role === "student" ? redirect(dashboardOf[viewer.role]) : allow)
      );
    case "level":
      return checkLevel(viewer, requirement.level);
  }
}

/**
 * Whether this viewer has the rail wherever they are: members whose membership runs and who have finished onboarding, and
 * administrators. Null until that is known.
 */
export function livesInHouse(viewer: Viewer): boolean | null {
  if (viewer.kind === "loading") return null;
  if (viewer.kind !== "member" || viewer.mustChoosePassword === true) return false;
  const lacking = checkMembership(viewer, true);
  return lacking?.kind === "wait" ? null : lacking === null;
}

/** Payment first, onboarding second; administrators need neither. Null when both are met. */
function checkMembership(viewer: Member, needsOnboarding: boolean): Decision | null {
  if (viewer.role === "admin") return null;
  if (viewer.subscribed === "loading") return { kind: "wait" };
  if (viewer.subscribed === "failed") return { kind: "unavailable" };
  if (!viewer.subscribed) return redirect(paths.paywall);
  if (needsOnboarding && !viewer.onboardingComplete) return redirect(paths.onboarding);
  return null;
}

function checkLevel(viewer: Member, level: number): Decision {
  if (viewer.role === "admin") return allow;
  if (viewer.level === "loading") return { kind: "wait" };
  if (viewer.level === "failed") return { kind: "unavailable" };
  return viewer.level >= level ? allow : redirect(paths.studentDashboard);
}
