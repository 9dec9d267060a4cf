import { Link } from "react-router";
import { brand } from "@/domain/brand.ts";
import { paths } from "@/domain/paths.ts";
import { Button } from "@/ui/button.tsx";
import { RisingMark } from "@/ui/rising-line.tsx";
import type { AccessRequirement } from "./requirements.ts";

const reasons: Readonly<Record<string, readonly [reason: string, action: string]>> = {
  [paths.auth]: ["Sign in to open this page.", "Sign in"],
  [paths.paywall]: ["This page needs an active membership.", "Choose a plan"],
  [paths.onboarding]: ["Finish onboarding to open this page.", "Continue onboarding"],
};
const otherwise = ["This page isn't open to you yet.", "Continue"] as const;
/** Addresses that lead every visitor on; nothing is closed there. */
const leadingOn = {
  moved: ["This page has moved", "It has a new address.", "Continue"],
  "auth-page": ["You're already signed in", "There is nothing to do on this page.", "Continue"],
} as const;

export interface SuppressedRedirectPageProps {
  readonly to: string;
  /** What the address that was asked for requires. */
  readonly from: AccessRequirement["kind"];
}

/** Stands in for a redirect that was suppressed: why the page is not shown, and a link to where the redirect led. */
export function SuppressedRedirectPage({ to, from }: SuppressedRedirectPageProps) {
  const [title, reason, action] =
    from === "moved" || from === "auth-page"
      ? leadingOn[from]
      : (["You can't open this page", ...(reasons[to.split("?")[0] ?? ""] ?? otherwise)] as const);
  return (
    <main className="grid min-h-dvh place-content-center bg-paper px-6 py-16">
      <title>{`Page not open · ${brand.name}`}</title>
      <div className="grid max-w-xl justify-items-start gap-5">
        <RisingMark className="size-10" />
        <h1 className="display text-2xl sm:text-3xl">{title}</h1>
        <p className="text-muted">{reason}</p>
        <Button asChild>
          <Link to={to} replace>
            {action}
          </Link>
        </Button>
      </div>
    </main>
  );
}
