import { Link } from "react-router";
import { brand } from "@/domain/brand.ts";
import { paths } from "@/domain/paths.ts";
import { Button } from "@/ui/button.tsx";
import { RisingMark } from "@/ui/rising-line.tsx";

const reasons: Readonly<Record<string, readonly [reason: string, action: string]>> = {
  [paths.auth]: ["Sign in to open this page.", "Sign in"],
  [paths.paywall]: ["This page needs an active membership.", "Choose a plan"],
  [paths.onboarding]: ["Finish onboarding to open this page.", "Continue onboarding"],
};
const otherwise = ["This page isn't open to you yet.", "Continue"] as const;

/** Stands in for a redirect that was suppressed: why the page is closed, and a link to where the redirect led. */
export function SuppressedRedirectPage({ to }: { readonly to: string }) {
  const [reason, action] = reasons[to.split("?")[0] ?? ""] ?? otherwise;
  return (
    <main className="grid min-h-dvh place-content-center bg-paper px-6 py-16">
      <title>{`Page not open · ${brand.name}`}</title>
      <div className="grid max-w-xl justify-items-start gap-5">
        <RisingMark className="size-10" />
        <h1 className="display text-2xl sm:text-3xl">You can't open this page</h1>
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
