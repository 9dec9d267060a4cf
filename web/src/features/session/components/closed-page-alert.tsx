import { sections } from "@/domain/library-paths.ts";
import { paths } from "@/domain/paths.ts";
import { Alert } from "@/ui/alert.tsx";
import { TextLink } from "@/ui/text-link.tsx";
import type { ClosedPage } from "../model/closed-page.ts";
import { closedPageAlertStrings } from "../strings.ts";
import { useClosedPage } from "../use-closed-page.ts";

/** Says, on the page that is shown instead, why the one that was asked for is closed. */
export function ClosedPageAlert({ className }: { readonly className?: string | undefined }) {
  return <ClosedPageReason page={useClosedPage()} className={className} />;
}

/** The same, for a page that is drawn anew once it has loaded, and asks `useClosedPage` itself. */
export function ClosedPageReason({
  page,
  className,
}: {
  readonly page: ClosedPage | null;
  readonly className?: string | undefined;
}) {
  if (page === null) return null;
  const way = wayOn(page);
  return (
    <Alert tone="info" title={reasonOf(page)} className={className}>
      {way === null ? null : <TextLink to={way.to}>{way.label}</TextLink>}
    </Alert>
  );
}

function reasonOf(page: ClosedPage): string {
  if (page.kind !== "level") return closedPageAlertStrings.reasons[page.kind];
  const { name, level } = sections[page.category];
  return closedPageAlertStrings.level(name, level);
}

function wayOn({ kind }: ClosedPage): { readonly to: string; readonly label: string } | null {
  if (kind === "level") return { to: paths.progress, label: closedPageAlertStrings.seeProgress };
  if (kind === "studio" || kind === "mentors-home") {
    return { to: paths.subscriptions, label: closedPageAlertStrings.seeMembership };
  }
  return null;
}
