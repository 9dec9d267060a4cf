import { NavLink, Outlet, useLocation } from "react-router";
import { paths } from "@/domain/paths.ts";
import { useCurrentInView } from "@/ui/use-current-in-view.ts";
import { consoleStrings } from "./strings.ts";

const parts = [
  [consoleStrings.overview, paths.adminDashboard],
  [consoleStrings.members, paths.adminMembers],
  [consoleStrings.queues, paths.adminQueues],
  [consoleStrings.content, paths.adminContent],
  [consoleStrings.money, paths.adminMoney],
  [consoleStrings.settings, paths.adminSettings],
  [consoleStrings.audit, paths.adminAudit],
] as const;

/** The parts of the console as a row of links, and the page of one of them. */
export function AdminLayout() {
  useLocation(); // Another part is another render, after which the row is looked at again.
  const row = useCurrentInView<HTMLElement>();
  return (
    <div className="grid grid-cols-1 content-start gap-8">
      <nav
        ref={row}
        aria-label={consoleStrings.label}
        className="-mx-4 overflow-x-auto border-b border-line px-4 sm:mx-0 sm:px-0"
      >
        <ul className="flex gap-1">
          {parts.map(([label, to]) => (
            <li key={to}>
              <NavLink
                to={to}
                end={to === paths.adminDashboard}
                className="-mb-px grid min-h-11 content-center border-b-2 border-transparent px-3 text-sm font-medium whitespace-nowrap text-muted hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:border-ink aria-[current=page]:text-ink"
              >
                {label}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <Outlet />
    </div>
  );
}
