import { categoryOfLevel } from "@/domain/library-paths.ts";
import { paths } from "@/domain/paths.ts";
import type { ClosedPage } from "@/features/session/index.ts";
import { requirementOf } from "./requirements.ts";

const firstOf: Readonly<Record<string, ClosedPage>> = {
  [paths.auth]: { kind: "sign-in" },
  [paths.paywall]: { kind: "membership" },
  [paths.onboarding]: { kind: "onboarding" },
};

/**
 * What the page a redirect leads to has to say of the one that was asked for; null when nothing is closed.
 * @param carried what a redirect that led here had to say, as one redirect may follow another.
 */
export function closedPage(
  asked: string,
  to: string,
  carried: ClosedPage | null,
): ClosedPage | null {
  const closed = closedAt(asked) ?? (to === paths.auth ? forMembers(asked) : null);
  if (closed === null && carried === null) return null;
  // Without a session, a membership or onboarding, no page of that kind is open, for any role.
  return firstOf[to] ?? closed ?? carried;
}

/** A page of each member's own, which nobody sees without signing in. */
function forMembers(pathname: string): ClosedPage | null {
  const { kind } = requirementOf(pathname);
  return kind === "signed-in" || kind === "onboarding" ? { kind: "sign-in" } : null;
}

/** What is closed at an address to those it leads elsewhere; null for addresses that lead everybody on. */
function closedAt(pathname: string): ClosedPage | null {
  const requirement = requirementOf(pathname);
  if (requirement.kind === "level") {
    const category = categoryOfLevel(requirement.level);
    return category === undefined ? null : { kind: "level", category };
  }
  if (requirement.kind === "mentors") return { kind: "studio" };
  // The students' home is where every address leads that nobody knows.
  if (requirement.kind !== "role" || requirement.role === "student") return null;
  return { kind: requirement.role === "admin" ? "console" : "mentors-home" };
}
