import type { Completion } from "@/domain/level-progress.ts";
import { levelByNumber, levels } from "@/domain/levels.ts";
import { Button } from "@/ui/button.tsx";
import { Badge } from "@/ui/badge.tsx";
import { ProgressRing } from "@/ui/progress.tsx";
import { RisingLine } from "@/ui/rising-line.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";
import { rankSentence } from "../model/rank.ts";
import { useRank } from "../queries.ts";

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
      aria-label="Overall"
      data-accent={current?.accent}
      className="grid items-center gap-x-12 gap-y-8 sm:grid-cols-[auto_minmax(0,1fr)]"
    >
      <ProgressRing
        label="Overall completion"
        value={completion.percent}
        valueText={`${completion.percent} per cent, ${completion.done} of ${completion.total}`}
        size={224}
        className="justify-self-center"
      >
        <span className="display tabular block text-4xl leading-none">{completion.percent}%</span>
        <span className="tabular mt-2 block text-sm text-muted">
          {completion.done} of {completion.total}
        </span>
      </ProgressRing>
      <div className="grid gap-5">
        <div className="grid gap-1">
          <h2 className="display text-2xl sm:text-3xl">
            {current ? `Level ${current.number}: ${current.name}` : "Before level 1"}
          </h2>
          <p className="max-w-prose text-muted">
            {current?.summary ?? "Your levels start when you finish onboarding."}
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
        Your engagement rank couldn't be loaded.
        <Button variant="secondary" size="sm" loading={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      </p>
    );
  }
  if (!data) return <Skeleton className="h-6 w-full max-w-md" />;
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Badge colour="plain" className="text-sm">
        <span className="sr-only">Engagement rank: </span>
        {data.label}
      </Badge>
      <span className="tabular text-muted">{rankSentence(data)}</span>
    </p>
  );
}
