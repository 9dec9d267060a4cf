import { Link } from "react-router";
import { Button } from "@/ui/button.tsx";
import { RisingMark } from "@/ui/rising-line.tsx";
import { closedPageStrings, closedReasons } from "../strings.ts";
import type { AccessRequirement } from "./requirements.ts";

export interface SuppressedRedirectPageProps {
  readonly to: string;
  /** What the address that was asked for requires. */
  readonly from: AccessRequirement["kind"];
}

/** Stands in for a redirect that was suppressed: why the page is not shown, and a link to where the redirect led. */
export function SuppressedRedirectPage({ to, from }: SuppressedRedirectPageProps) {
  const [title, reason, action] =
    from === "moved" || from === "auth-page"
      ? closedPageStrings.leadingOn[from]
      : ([
          closedPageStrings.title,
          ...(closedReasons[to.split("?")[0] ?? ""] ?? closedPageStrings.otherwise),
        ] as const);
  return (
    <main className="grid min-h-dvh place-content-center bg-paper px-6 py-16">
      <title>{closedPageStrings.tabTitle}</title>
      <div className="grid max-w-notice justify-items-start gap-5">
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
