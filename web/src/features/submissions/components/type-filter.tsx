import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { classNames } from "@/ui/class-names.ts";
import { submissionTypeInfo } from "./submission-type-info.ts";
import { submissionTypes, type SubmissionType } from "../model/submission-type.ts";
import { submissionFeedStrings } from "../strings.ts";

/** The types as links, so that a filtered feed has an address of its own. */
export function TypeFilter({ chosen }: { readonly chosen: SubmissionType | null }) {
  return (
    <nav aria-label={submissionFeedStrings.filter}>
      <ul className="flex flex-wrap gap-2">
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
        "flex min-h-10 items-center gap-2 rounded-full border px-3.5 text-sm transition-colors",
        here
          ? "border-ink bg-raised font-medium text-ink"
          : "border-line text-muted hover:bg-hover hover:text-ink",
      )}
    >
      <span aria-hidden>{emoji}</span>
      {children}
    </Link>
  );
}
