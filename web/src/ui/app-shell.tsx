import { Lock, Menu } from "lucide-react";
import { useState, type ComponentType, type ReactNode } from "react";
import { Link, useLocation } from "react-router";
import type { Accent } from "./accent.ts";
import { LevelBadge, type LevelBadgeProps } from "./badge.tsx";
import { classNames } from "./class-names.ts";
import { Sheet } from "./dialog.tsx";
import { footBar } from "./foot-bar.ts";
import { LinkTabs, type LinkTab } from "./link-tabs.tsx";
import { LockedDoor, type LockedEntry } from "./locked-door.tsx";
import { Skeleton } from "./skeleton.tsx";
import { UnreadCount } from "./unread-count.tsx";
import { useRailScreen } from "./use-wide-screen.ts";

export interface NavEntry {
  readonly label: string;
  readonly to: string;
  readonly icon: ComponentType<{ className?: string; "aria-hidden"?: boolean }>;
  readonly isCurrent: boolean;
  readonly accent?: Accent | undefined;
  /** How much waits there; nothing is shown for 0. */
  readonly unread?: number | undefined;
  /** Set while the entry is closed: it stays visible, and pressing it says what opens it. */
  readonly locked?: LockedEntry | undefined;
}

export interface AppShellProps {
  readonly brand: ReactNode;
  readonly homePath: string;
  /** In order; on a phone the first four become tabs and the rest goes into a sheet. */
  readonly entries: readonly NavEntry[];
  /** Where the visitor is, in words. */
  readonly title: ReactNode;
  /** The pages of the current entry, where there are several: beside the title, on a phone above the page. */
  readonly tabs: readonly LinkTab[];
  /** The page is one of `tabs`, not one further inside: only there has a phone room for them. */
  readonly isTabPage: boolean;
  /** The visitor's level, `"loading"` while it is not known, null when there is none. */
  readonly level: LevelBadgeProps | "loading" | null;
  /** What one can do from anywhere, such as search, beside the level. */
  readonly tools?: ReactNode | undefined;
  /** The account menu, at the foot of the rail. */
  readonly account: ReactNode;
  /** Accent of the section one is in. */
  readonly accent?: Accent | undefined;
  /** The page takes the window's whole height and scrolls inside; a phone's tabs give way to it. */
  readonly fill?: boolean | undefined;
  readonly children: ReactNode;
}

const phoneTabs = 4;

/** Rail, top bar, bottom tabs and the page between them. */
export function AppShell({
  brand,
  homePath,
  entries,
  title,
  tabs,
  isTabPage,
  level,
  tools,
  account,
  accent,
  fill = false,
  children,
}: AppShellProps) {
  const hasRail = useRailScreen();
  const showsTabs = tabs.length > 0 && (hasRail || (isTabPage && !fill));
  // What the tabs say, the entry above them does not say again.
  const shown = entries.map((entry) =>
    showsTabs && entry.isCurrent ? { ...entry, unread: 0 } : entry,
  );
  const row = showsTabs ? (
    <LinkTabs
      label={shown.find(({ isCurrent }) => isCurrent)?.label ?? ""}
      tabs={tabs}
      className={
        hasRail
          ? "min-w-0 self-stretch"
          : "-mx-4 -mt-6 mb-6 border-b border-line px-1 sm:-mx-8 sm:-mt-8 sm:px-5"
      }
    />
  ) : null;
  return (
    <div
      data-shell=""
      data-accent={accent}
      className="min-h-dvh bg-paper lg:grid lg:grid-cols-[15.5rem_minmax(0,1fr)] print:block"
    >
      <SkipLink />
      <aside className="sticky top-0 hidden h-dvh flex-col border-r border-line bg-sunken px-3 py-5 lg:flex print:hidden">
        <Link to={homePath} className="mb-7 rounded-control px-3 py-1">
          {brand}
        </Link>
        <nav aria-label="Main" className="grow overflow-y-auto p-0.5">
          <ul className="grid gap-0.5">
            {shown.map((entry) => (
              <li key={entry.to}>
                <RailEntry entry={entry} />
              </li>
            ))}
          </ul>
        </nav>
        <div className="border-t border-line pt-3">{account}</div>
      </aside>
      <div className={classNames("flex min-w-0 flex-col", fill ? "h-dvh" : "min-h-dvh")}>
        <header
          className={classNames(
            "sticky top-0 z-20 flex h-14 shrink-0 items-center justify-between gap-2 border-b border-line bg-[color-mix(in_oklab,var(--paper)_92%,transparent)] px-4 backdrop-blur-sm sm:gap-4 sm:px-8 lg:h-16 print:hidden",
            // What is left beside a phone's keyboard belongs to the page.
            fill && "shortest:hidden",
          )}
        >
          <div className="flex min-w-0 grow items-center gap-5 self-stretch">
            <p
              className={classNames(
                "text-sm font-medium lg:text-base",
                hasRail && showsTabs ? "shrink-0" : "truncate",
              )}
            >
              {title}
            </p>
            {hasRail ? row : null}
          </div>
          <div className="flex shrink-0 items-center gap-1 sm:gap-4">
            {tools}
            {level === "loading" ? (
              <Skeleton className="h-8 w-32 rounded-full max-[22rem]:w-8" />
            ) : null}
            {level !== null && level !== "loading" ? <LevelBadge {...level} inBar /> : null}
          </div>
        </header>
        <main
          id="main"
          tabIndex={-1}
          className={classNames(
            "mx-auto w-full max-w-page grow focus:outline-none has-data-beside:max-w-beside",
            fill ? "min-h-0" : "px-4 py-6 pb-28 tiny:pb-40 sm:px-8 sm:py-8 lg:pb-16",
          )}
        >
          {hasRail ? null : row}
          {children}
        </main>
      </div>
      {fill ? null : <PhoneTabs entries={shown} account={account} />}
    </div>
  );
}

function SkipLink() {
  return (
    <a
      href="#main"
      className="sr-only z-50 rounded-control bg-ink px-4 py-2 text-on-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
    >
      Skip to content
    </a>
  );
}

function RailEntry({
  entry,
  onNavigate,
}: {
  readonly entry: NavEntry;
  readonly onNavigate?: () => void;
}) {
  const here = entry.isCurrent;
  const Icon = entry.icon;
  const row = "flex min-h-11 items-center gap-3 rounded-control px-3 text-sm";
  if (entry.locked !== undefined) {
    return (
      <LockedDoor
        label={entry.label}
        locked={entry.locked}
        className={classNames(row, "w-full text-left text-muted hover:bg-hover hover:text-ink")}
      >
        <Icon aria-hidden className="size-4.5 shrink-0" />
        <span className="grow">{entry.label}</span>
        <span className="flex items-center gap-1 text-xs">
          <Lock aria-hidden className="size-3" />
          <span className="sr-only">locked, opens at </span>
          {entry.locked.opensAt}
        </span>
      </LockedDoor>
    );
  }
  return (
    <Link
      to={entry.to}
      aria-current={here ? "page" : undefined}
      data-accent={entry.accent}
      onClick={onNavigate}
      className={classNames(
        row,
        "transition-colors",
        here
          ? "bg-raised font-medium text-ink shadow-[inset_0_0_0_1px_var(--line)]"
          : "text-muted hover:bg-hover hover:text-ink",
      )}
    >
      <Icon aria-hidden className={classNames("size-4.5 shrink-0", here && "text-accent")} />
      <span className="grow">{entry.label}</span> <UnreadCount count={entry.unread} />
    </Link>
  );
}

function PhoneTabs({
  entries,
  account,
}: {
  readonly entries: readonly NavEntry[];
  readonly account: ReactNode;
}) {
  const [openAt, setOpenAt] = useState<string | null>(null);
  const { pathname } = useLocation();
  // Open only on the page it was opened on, so that following any link inside closes it, also for the way back.
  const open = openAt === pathname;
  if (openAt !== null && !open) setOpenAt(null);
  const setOpen = (next: boolean) => setOpenAt(next ? pathname : null);
  const close = () => setOpen(false);
  const tab =
    "grid min-h-14 w-full content-center justify-items-center gap-0.5 px-1 text-xs text-muted";
  return (
    <nav
      ref={footBar}
      aria-label="Main"
      data-phone-tabs=""
      className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-raised pb-[env(safe-area-inset-bottom)] lg:hidden print:hidden"
    >
      <ul className="mx-auto grid max-w-notice grid-cols-5 tiny:grid-cols-3">
        {entries.slice(0, phoneTabs).map((entry) => (
          <li key={entry.to}>
            <PhoneTab entry={entry} className={tab} />
          </li>
        ))}
        <li>
          <button
            type="button"
            className={tab}
            aria-haspopup="dialog"
            aria-expanded={open}
            onClick={() => setOpen(true)}
          >
            <Menu aria-hidden className="size-5" />
            More
          </button>
        </li>
      </ul>
      <Sheet open={open} onOpenChange={setOpen} title="More">
        <ul className="grid gap-0.5">
          {entries.slice(phoneTabs).map((entry) => (
            <li key={entry.to}>
              <RailEntry entry={entry} onNavigate={close} />
            </li>
          ))}
        </ul>
        <div className="mt-3 border-t border-line pt-3">{account}</div>
      </Sheet>
    </nav>
  );
}

function PhoneTab({ entry, className }: { readonly entry: NavEntry; readonly className: string }) {
  const here = entry.isCurrent;
  const Icon = entry.icon;
  if (entry.locked !== undefined) {
    return (
      <LockedDoor label={entry.label} locked={entry.locked} className={className}>
        <Lock aria-hidden className="size-5" />
        {entry.label}
        <span className="sr-only">, locked, opens at {entry.locked.opensAt}</span>
      </LockedDoor>
    );
  }
  return (
    <Link
      to={entry.to}
      aria-current={here ? "page" : undefined}
      data-accent={entry.accent}
      className={classNames(
        className,
        "focus-visible:-outline-offset-2",
        here && "font-medium text-ink",
      )}
    >
      <span className="relative">
        <Icon aria-hidden className={classNames("size-5", here && "text-accent")} />
        <UnreadCount
          count={entry.unread}
          // Beside the icon, which stays in the middle and in sight.
          className="absolute top-0 left-full ml-0.5"
        />
      </span>
      {entry.label}
    </Link>
  );
}
