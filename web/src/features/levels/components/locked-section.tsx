import { ArrowRight } from "lucide-react";
import { Link } from "react-router";
import { levelByNumber, type LevelNumber } from "@/domain/levels.ts";
import { paths } from "@/domain/paths.ts";
import { Button } from "@/ui/button.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { useLevel, useNextStep, useProgress } from "../queries.ts";
import { progressStrings } from "../strings.ts";
import { RequirementList } from "./requirement-list.tsx";

/** What a level opens, what the present one still asks for, and the next step. */
export function LockedSection({ level }: { readonly level: LevelNumber }) {
  const reached = useLevel();
  const progress = useProgress();
  const door = levelByNumber(level);
  const current = levelByNumber(Math.max(1, reached.current))?.number ?? 1;
  const { requirements, counters } = progress;
  const step = useNextStep(current, requirements, counters);
  if (reached.status === "failed" || progress.status === "failed") {
    return (
      <LoadFailed
        title={progressStrings.loadFailed}
        busy={progress.isFetching}
        onRetry={() => {
          void reached.refresh();
          void progress.refresh();
        }}
      />
    );
  }
  if (reached.status === "loading" || progress.status === "loading") {
    return (
      <Loading label={progressStrings.loading} className="grid gap-4">
        <Skeleton className="h-5 w-full" />
        <Skeleton className="h-8 w-full" />
        <Skeleton className="h-12 w-48" />
      </Loading>
    );
  }
  const between = level - 1 - current;
  return (
    <div data-accent={door?.accent} className="grid gap-5">
      <p className="text-muted">{door?.summary}</p>
      <p className="text-sm">{progressStrings.locked(current, between)}</p>
      <RequirementList level={current} requirements={requirements[current]} counters={counters} />
      <div className="flex flex-wrap items-center gap-3">
        {step ? (
          <Button asChild variant="accent">
            <Link to={step.to}>
              {step.label}
              <ArrowRight aria-hidden className="size-4" />
            </Link>
          </Button>
        ) : null}
        <Button asChild variant="secondary">
          <Link to={paths.progress}>{progressStrings.show}</Link>
        </Button>
      </div>
    </div>
  );
}
