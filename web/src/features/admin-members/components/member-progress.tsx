import { Link } from "react-router";
import { levels } from "@/domain/levels.ts";
import { longDate } from "@/lib/format-time.ts";
import type { ProgressDetail } from "../model/member-detail.ts";
import { memberProgressStrings } from "../strings.ts";
import { MemberSection } from "./member-section.tsx";

/** What each level asks for, how much the member has done, and the newest evidence of each. */
export function MemberProgressSection({ progress }: { readonly progress: ProgressDetail }) {
  const { completions, requirements, evidence } = progress;
  return (
    <MemberSection title={memberProgressStrings.title}>
      {levels.map((level) => {
        const completed = completions.find((each) => each.level === level.number);
        return (
          <div key={level.number} data-accent={level.accent} className="grid gap-1.5 text-sm">
            <h4 className="flex justify-between gap-3 font-medium">
              <span>{memberProgressStrings.level(level.number, level.name)}</span>
              {completed ? (
                <span className="font-normal text-muted">
                  {memberProgressStrings.completed(longDate(Date.parse(completed.completed_at)))}
                </span>
              ) : null}
            </h4>
            {requirements
              .filter((each) => each.level === level.number)
              .map(({ kind, category, needed, count }) => {
                const events = evidence.filter(
                  (event) => event.kind === kind && event.category === category,
                );
                const line = (
                  <span className="flex grow justify-between gap-3">
                    <span>{memberProgressStrings.requirementNames[kind]}</span>
                    <span className="tabular text-muted">
                      {memberProgressStrings.countOf(count, needed)}
                    </span>
                  </span>
                );
                // Engagements count at every level; their evidence stands at the first.
                if (events.length === 0 || (kind === "engagements" && level.number > 1)) {
                  return (
                    <p key={kind} className="flex pl-4">
                      {line}
                    </p>
                  );
                }
                return (
                  <details key={kind}>
                    <summary className="min-h-9 cursor-pointer content-center rounded-control">
                      <span className="inline-flex w-[calc(100%-1rem)]">{line}</span>
                    </summary>
                    <ul className="grid gap-1 py-1 pl-4">
                      {events.map((event) => (
                        <li key={event.id} className="flex justify-between gap-3">
                          {event.path === null || event.label === null ? (
                            <span className="text-muted">{memberProgressStrings.evidenceGone}</span>
                          ) : (
                            <Link to={event.path} className="min-w-0 truncate underline">
                              {event.label}
                            </Link>
                          )}
                          <span className="shrink-0 text-muted">
                            {longDate(Date.parse(event.happened_at))}
                          </span>
                        </li>
                      ))}
                    </ul>
                  </details>
                );
              })}
          </div>
        );
      })}
    </MemberSection>
  );
}
