import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { classNames } from "@/ui/class-names.ts";
import { useCurrentInView } from "@/ui/use-current-in-view.ts";
import { submissionTypeInfo } from "./submission-type-info.ts";
import { submissionTypes, type SubmissionType } from "../model/submission-type.ts";
import { submissionFeedStrings } from "../strings.ts";

/**
 * The types as links, so that a filtered feed has an address of its own: one row on a phone, which scrolls sideways, and
 * one column where they stand beside the feed.
 */
export function TypeFilter({
  chosen,
  className,
}: {
  readonly chosen: SubmissionType | null;
  readonly className?: string;
}) {
  const row = useCurrentInView<HTMLElement>();
  return (
    <nav
      ref={row}
      aria-label={submissionFeedStrings.filter}
      className={classNames(
        "relative max-sm:-mx-4 max-sm:-my-1 max-sm:overflow-x-auto max-sm:py-1 max-sm:pr-12 max-sm:pl-4 max-sm:[mask-image:linear-gradient(to_right,black_calc(100%-3rem),transparent)]",
        className,
      )}
    >
      <ul className="flex w-max gap-2 sm:w-auto sm:flex-wrap xl:flex-col xl:gap-1">
        <li>
          <FilterLink to={paths.submissions} here={chosen === null} emoji="✳️">
            {submissionFeedStrings.allTypes}
          </FilterLink>
        </li>
        {submissionTypes.map((type) => (
          <li key={type}>
            <FilterLink
              to={`${paths.submissions}?type=${type}`}
              here={chosen === type}
              emoji={submissionTypeInfo[type].emoji}
            >
              {submissionTypeInfo[type].name}
            </FilterLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function FilterLink({
  to,
  here,
  emoji,
  children,
}: {
  readonly to: string;
  readonly here: boolean;
  readonly emoji: string;
  readonly children: string;
}) {
  return (
    <Link
      to={to}
      preventScrollReset
      aria-current={here ? "true" : undefined}
      className={classNames(
        "flex min-h-10 items-center gap-2 rounded-full border px-3.5 text-sm whitespace-nowrap transition-colors xl:rounded-control",
        here
          ? "border-ink bg-raised font-medium text-ink"
          : "border-line text-muted hover:bg-hover hover:text-ink xl:border-transparent",
      )}
    >
      <span aria-hidden>{emoji}</span>
      {children}
    </Link>
  );
}
