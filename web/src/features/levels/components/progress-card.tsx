import { Link } from "react-router";
import {
  overallCompletion,
  type LevelRequirements,
  type ProgressCounters,
} from "@/domain/level-progress.ts";
import { levelByNumber, levels, maximumLevel, type LevelNumber } from "@/domain/levels.ts";
import { paths } from "@/domain/paths.ts";
import { Card } from "@/ui/card.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { nextStep } from "./next-step.ts";
import { useLevel } from "../queries.ts";
import { useProgress } from "../queries.ts";
import { progressCardStrings, progressStrings } from "../strings.ts";
import { LevelAdvancements } from "./level-advancements.tsx";
import { RequirementList } from "./requirement-list.tsx";

/** The progress within the present level, and the next step in words: its button is above, under “Today”. */
export function ProgressCard() {
  const level = useLevel();
  const progress = useProgress();
  if (level.status === "failed" || progress.status === "failed") {
    return (
      <Card>
        <LoadFailed
          title={progressStrings.loadFailed}
          reassurance={progressStrings.nothingLost}
          busy={progress.isFetching}
          onRetry={() => {
            void level.refresh();
            void progress.refresh();
          }}
        />
      </Card>
    );
  }
  if (level.status === "loading" || progress.status === "loading") return <ProgressSkeleton />;
  const current = levelByNumber(Math.max(1, level.current))?.number ?? 1;
  return (
    <Progress level={current} requirements={progress.requirements} counters={progress.counters} />
  );
}

function Progress({
  level,
  requirements,
  counters,
}: {
  readonly level: LevelNumber;
  readonly requirements: LevelRequirements;
  readonly counters: ProgressCounters;
}) {
  const step = nextStep(level, requirements[level], counters);
  const overall = overallCompletion(requirements, counters);
  return (
    <Card data-accent={levelByNumber(level)?.accent} className="grid content-start gap-6">
      <LevelAdvancements />
      <RequirementList level={level} requirements={requirements[level]} counters={counters} />
      <div className="flex flex-wrap items-center justify-between gap-4 border-t border-line pt-5">
        {step ? (
          <p className="flex flex-wrap items-baseline gap-x-2">
            <span className="font-medium">{step.label}</span>{" "}
            <span className="tabular text-sm text-muted">{step.remaining}</span>
          </p>
        ) : (
          <p className="text-muted">
            {level === maximumLevel ? progressCardStrings.allDone : progressCardStrings.levelDone}
          </p>
        )}
        <p className="text-sm">
          <span className="text-muted">{progressCardStrings.overall}</span>
          <Link
            to={paths.progress}
            className="tabular rounded-sm font-medium underline decoration-control-line underline-offset-4 hover:decoration-ink"
            aria-label={progressCardStrings.overallLink(
              overall.percent,
              overall.done,
              overall.total,
            )}
          >
            {overall.percent}%
          </Link>
          <span className="tabular text-muted">
            {progressCardStrings.overallFigures(overall.done, overall.total)}
          </span>
        </p>
      </div>
    </Card>
  );
}

function ProgressSkeleton() {
  return (
    <Loading label={progressStrings.loading} className="grid">
      <Card className="grid content-start gap-6">
        <div className="grid gap-3">
          <Skeleton className="h-5 w-36" />
          <div className="grid grid-cols-2 gap-2 sm:grid-cols-4">
            {levels.map((each) => (
              <Skeleton key={each.number} className="h-16" />
            ))}
          </div>
        </div>
        <div className="grid gap-4 sm:grid-cols-3">
          <Skeleton className="h-8" />
          <Skeleton className="h-8" />
          <Skeleton className="h-8" />
        </div>
        <div className="border-t border-line pt-5">
          <Skeleton className="h-6 w-64" />
        </div>
      </Card>
    </Loading>
  );
}
