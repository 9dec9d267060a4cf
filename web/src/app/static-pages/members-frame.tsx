import { Bell, Search } from "lucide-react";
import { brand } from "@/domain/brand.ts";
import { dashboardOf } from "@/domain/paths.ts";
import type { Role } from "@/domain/roles.ts";
import type { Accent } from "@/ui/accent.ts";
import { AppShell } from "@/ui/app-shell.tsx";
import { LinkTabs } from "@/ui/link-tabs.tsx";
import { Wordmark } from "@/ui/rising-line.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";
import { areaPlaceOf, areasOf } from "../areas.ts";

export interface MembersFrameProps {
  /** Where one is; null for pages further inside, whose documents are one and the same. */
  readonly pathname: string | null;
  readonly role: Role;
  /** Where one is, in words, where that is not the name of an area. */
  readonly title: string;
  readonly accent: Accent | undefined;
  readonly fill: boolean;
}

/**
 * The members' house as it stands before anything is known of the member: the frame's own components around the shape
 * of a page. The build renders it, so none of it can be pressed.
 */
export function MembersFrame({ pathname, role, title, accent, fill }: MembersFrameProps) {
  const areas = areasOf(role);
  const place = pathname === null ? null : areaPlaceOf(areas, pathname);
  const tabs =
    place === null || place.area.pages.length < 2
      ? []
      : place.area.pages.map((page) => ({
          label: page.label,
          to: page.to,
          isCurrent: page === place.page,
        }));
  const name = place?.area.label ?? title;
  return (
    // A phone has the tabs above the page instead of in the bar.
    <div inert data-members-frame="" className="max-lg:[&_header_nav]:hidden">
      <AppShell
        brand={<Wordmark name={brand.name} />}
        homePath={dashboardOf[role]}
        entries={areas.flatMap(({ label, icon, accent: areaAccent, pages }) => {
          const to = pages[0]?.to;
          if (to === undefined) return [];
          const isCurrent = place?.area.label === label;
          return [{ label, to, icon, accent: areaAccent, isCurrent }];
        })}
        title={name}
        tabs={tabs}
        isTabPage
        level={role === "admin" ? null : "loading"}
        tools={<Tools />}
        account={<Skeleton className="h-14" />}
        accent={accent}
        fill={fill}
      >
        {tabs.length > 0 && place?.isTop ? (
          <LinkTabs
            label={name}
            tabs={tabs}
            className="-mx-4 -mt-6 mb-6 border-b border-line px-1 sm:-mx-8 sm:-mt-8 sm:px-5 lg:hidden"
          />
        ) : null}
        {fill ? null : <PageShape />}
      </AppShell>
    </div>
  );
}

/** The top bar's buttons in their places. */
function Tools() {
  return (
    <>
      <span className="flex min-h-10 min-w-10 items-center justify-center rounded-control border border-transparent px-2.5 text-muted sm:w-24 sm:justify-start sm:border-line sm:bg-raised md:w-39">
        <Search className="size-4.5" />
      </span>
      <span className="flex h-11 w-14 items-center justify-center text-muted">
        <Bell className="size-4.5" />
      </span>
    </>
  );
}

/** A heading with its line, and cards below it. */
function PageShape() {
  return (
    <div className="grid grid-cols-1 gap-8">
      <div className="grid grid-cols-1 gap-3">
        <Skeleton className="h-8 w-64 max-w-full sm:h-9" />
        <Skeleton className="h-5 w-96 max-w-full" />
      </div>
      <div className="grid max-w-column grid-cols-1 gap-6">
        <Skeleton className="h-40 rounded-card" />
        <Skeleton className="h-56 rounded-card" />
      </div>
    </div>
  );
}
