import type { Completion } from "@/domain/level-progress.ts";
import { levelByNumber, levels } from "@/domain/levels.ts";
import { Button } from "@/ui/button.tsx";
import { Badge } from "@/ui/badge.tsx";
import { ProgressRing } from "@/ui/progress.tsx";
import { RisingLine } from "@/ui/rising-line.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";
import { rankSentence } from "./rank-sentence.ts";
import { useRank } from "../queries.ts";
import { progressStrings, progressSummaryStrings } from "../strings.ts";

/** The one big ring, the level in words, and the rank as a sentence. */
export function ProgressSummary({
  level,
  completion,
}: {
  readonly level: number;
  readonly completion: Completion;
}) {
  const current = levelByNumber(level);
  return (
    <section
      aria-label={progressSummaryStrings.label}
      data-accent={current?.accent}
      className="grid items-center gap-x-12 gap-y-8 sm:grid-cols-[auto_minmax(0,1fr)]"
    >
      <ProgressRing
        label={progressSummaryStrings.completion}
        value={completion.percent}
        valueText={progressSummaryStrings.completionValue(
          completion.percent,
          completion.done,
          completion.total,
        )}
        size={224}
        className="justify-self-center"
      >
        <span className="display tabular block text-4xl leading-none">{completion.percent}%</span>
        <span className="tabular mt-2 block text-sm text-muted">
          {progressStrings.doneOf(completion.done, completion.total)}
        </span>
      </ProgressRing>
      <div className="grid gap-5">
        <div className="grid gap-1">
          <h2 className="display text-2xl sm:text-3xl">
            {current
              ? progressStrings.levelTitle(current.number, current.name)
              : progressSummaryStrings.beforeLevels}
          </h2>
          <p className="max-w-prose text-muted">
            {current?.summary ?? progressSummaryStrings.beforeLevelsText}
          </p>
        </div>
        <RisingLine steps={levels} reached={level} className="max-w-lg" />
        <Rank />
      </div>
    </section>
  );
}

function Rank() {
  const { data, isError, isFetching, refetch } = useRank();
  if (!data && isError) {
    return (
      <p role="alert" className="flex flex-wrap items-center gap-2 text-sm text-muted">
        {progressSummaryStrings.rankFailed}
        <Button variant="secondary" size="sm" loading={isFetching} onClick={() => void refetch()}>
          {progressStrings.tryAgain}
        </Button>
      </p>
    );
  }
  if (!data) return <Skeleton className="h-6 w-full max-w-md" />;
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Badge colour="plain" className="text-sm">
        <span className="sr-only">{progressSummaryStrings.rankLabel}</span>
        {data.label}
      </Badge>
      <span className="tabular text-muted">{rankSentence(data)}</span>
    </p>
  );
}
