import { Check, ChevronRight, Lock } from "lucide-react";
import {
  doneOf,
  type LevelRequirements,
  type ProgressCounters,
  type Requirement,
} from "@/domain/level-progress.ts";
import { levels, type Level } from "@/domain/levels.ts";
import { longDate } from "@/lib/format-time.ts";
import { classNames } from "@/ui/class-names.ts";
import { ProgressBar } from "@/ui/progress.tsx";
import type { ProgressEventFilter } from "../model/progress-event.ts";
import { useCompletions } from "../queries.ts";
import {
  levelColumnsStrings,
  progressEventTitle,
  progressStrings,
  requirementNames,
} from "../strings.ts";

/** The four levels side by side with what each asks for; every figure leads to its evidence. */
export function LevelColumns({
  level,
  requirements,
  counters,
  onShowEvents,
}: {
  readonly level: number;
  readonly requirements: LevelRequirements;
  readonly counters: ProgressCounters;
  readonly onShowEvents: (of: ProgressEventFilter) => void;
}) {
  const { data: completions } = useCompletions();
  return (
    <section aria-labelledby="requirements" className="grid gap-5">
      <h2 id="requirements" className="display text-xl">
        {levelColumnsStrings.title}
      </h2>
      {/* Names, dates and figures share their rows across the columns, however long each is. */}
      <ol className="grid gap-x-6 gap-y-8 sm:grid-cols-2 xl:grid-cols-4">
        {levels.map((each) => {
          const completedAt = completions?.get(each.number);
          const state =
            completedAt !== undefined || each.number < level
              ? "done"
              : each.number === level
                ? "now"
                : "ahead";
          return (
            <li
              key={each.number}
              data-accent={each.accent}
              data-state={state}
              aria-current={each.number === level ? "step" : undefined}
              className={classNames(
                "row-span-4 grid grid-cols-1 grid-rows-subgrid content-start gap-y-1 border-t-3 pt-4",
                state === "ahead" ? "border-line" : "border-accent",
              )}
            >
              <LevelHead level={each} state={state} completedAt={completedAt} />
              <ul className="mt-3 grid content-start gap-1">
                {requirements[each.number].map((requirement) => (
                  <li key={requirement.kind}>
                    <RequirementRow
                      requirement={requirement}
                      counters={counters}
                      level={each.number}
                      onShowEvents={onShowEvents}
                    />
                  </li>
                ))}
              </ul>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function LevelHead({
  level,
  state,
  completedAt,
}: {
  readonly level: Level;
  readonly state: "done" | "now" | "ahead";
  readonly completedAt: string | undefined;
}) {
  return (
    <>
      <p className="flex items-center gap-1.5 text-sm text-muted">
        {levelColumnsStrings.level}
        <span className="tabular">{level.number}</span>
        {state === "done" ? <Check aria-hidden className="size-3.5 text-accent" /> : null}
        {state === "ahead" ? <Lock aria-hidden className="size-3.5" /> : null}
      </p>
      <h3 className={classNames("text-lg font-medium", state === "ahead" && "text-muted")}>
        {level.name}
      </h3>
      {/* A line of its own: the longest date fits a column of four. */}
      <p className={classNames("text-sm", state === "now" ? "text-accent" : "text-muted")}>
        {completedAt === undefined
          ? levelColumnsStrings[state]
          : levelColumnsStrings.doneOn(longDate(Date.parse(completedAt)))}
      </p>
    </>
  );
}

function RequirementRow({
  requirement,
  counters,
  level,
  onShowEvents,
}: {
  readonly requirement: Requirement;
  readonly counters: ProgressCounters;
  readonly level: number;
  readonly onShowEvents: (of: ProgressEventFilter) => void;
}) {
  const of = { kind: requirement.kind, category: requirement.category ?? null };
  const title = progressEventTitle(of);
  const done = doneOf(requirement, counters);
  const words = progressStrings.doneOf(done, requirement.needed);
  return (
    <div className="relative -mx-3 grid gap-2 rounded-control px-3 py-2.5 hover:bg-hover">
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => onShowEvents(of)}
        className="flex min-h-6 items-center justify-between gap-2 text-left text-sm after:absolute after:inset-0 after:rounded-control"
      >
        {/* Within a level's column the category need not be said again. */}
        <span className="text-muted">{requirementNames[requirement.kind]}</span>{" "}
        <span className="tabular flex items-center gap-1 whitespace-nowrap">
          {words} <span className="sr-only">{levelColumnsStrings.showEvidence(level)}</span>
          <ChevronRight aria-hidden className="size-4 text-muted" />
        </span>
      </button>
      <ProgressBar
        label={levelColumnsStrings.requirementLabel(title, level)}
        value={(done / requirement.needed) * 100}
        valueText={words}
      />
    </div>
  );
}
