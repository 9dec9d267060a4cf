import { Lock } from "lucide-react";
import { Link, useLocation } from "react-router";
import { classNames } from "./class-names.ts";
import { LockedDoor, type LockedEntry } from "./locked-door.tsx";
import { UnreadCount } from "./unread-count.tsx";
import { useCurrentInView } from "./use-current-in-view.ts";

export interface LinkTab {
  readonly label: string;
  readonly to: string;
  readonly isCurrent: boolean;
  /** How much is unread there; nothing is shown for 0. */
  readonly unread?: number | undefined;
  /** What `unread` counts, for screen readers. Defaults to `unread`. */
  readonly unreadWhat?: string | undefined;
  /** Set while the page is closed: pressing it says what opens it. */
  readonly locked?: LockedEntry | undefined;
}

export interface LinkTabsProps {
  /** Names the pages for screen readers. */
  readonly label: string;
  readonly tabs: readonly LinkTab[];
  readonly className?: string;
}

const tabClass =
  "flex h-full min-h-11 items-center gap-1.5 border-b-2 border-transparent forced-colors:border-[color:Canvas] px-3 text-sm font-medium whitespace-nowrap text-muted hover:text-ink focus-visible:-outline-offset-2";

/** Pages that belong together, as a row of links. */
export function LinkTabs({ label, tabs, className }: LinkTabsProps) {
  useLocation(); // Another page is another render, after which the row is looked at again.
  const row = useCurrentInView<HTMLElement>();
  return (
    // Words for screen readers are laid out absolutely: without a position here they would widen the page.
    <nav
      ref={row}
      aria-label={label}
      className={classNames("relative overflow-x-auto print:hidden", className)}
    >
      <ul className="flex h-full">
        {tabs.map(({ label: name, to, isCurrent, unread, unreadWhat, locked }) => (
          <li key={to}>
            {locked === undefined ? (
              <Link
                to={to}
                data-tab=""
                aria-current={isCurrent ? "page" : undefined}
                className={classNames(
                  tabClass,
                  "aria-[current=page]:border-ink aria-[current=page]:text-ink forced-colors:aria-[current=page]:border-[color:Highlight]",
                )}
              >
                {name} <UnreadCount count={unread} what={unreadWhat} />
              </Link>
            ) : (
              <LockedDoor label={name} locked={locked} className={tabClass}>
                {name}
                <span className="flex items-center gap-1 text-xs font-normal">
                  <Lock aria-hidden className="size-3" />
                  <span className="sr-only">locked, opens at </span>
                  {locked.opensAt}
                </span>
              </LockedDoor>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}
