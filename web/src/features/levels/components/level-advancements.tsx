import { levelCompletion } from "@/domain/level-progress.ts";
import { levelByNumber, levels } from "@/domain/levels.ts";
import { Button } from "@/ui/button.tsx";
import { LevelStrip } from "@/ui/level-strip.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { useLevel } from "../queries.ts";
import { useProgress } from "../queries.ts";
import { levelStripStrings, progressStrings } from "../strings.ts";
import { LockedSection } from "./locked-section.tsx";

/** The four levels in a row, the present one with how far it is done. */
export function LevelAdvancements({ className }: { readonly className?: string | undefined }) {
  const level = useLevel();
  const progress = useProgress();
  if (level.status === "loading") {
    return (
      <Loading label={levelStripStrings.loading} className={className}>
        <Skeleton className="mb-3 h-5 w-36" />
        <div className="grid grid-cols-2 gap-2 sm:grid-cols-4">
          {levels.map((each) => (
            <Skeleton key={each.number} className="h-18" />
          ))}
        </div>
      </Loading>
    );
  }
  if (level.status === "failed") {
    return (
      <p role="alert" className="flex flex-wrap items-center gap-2 text-sm text-muted">
        {levelStripStrings.loadFailed}
        <Button variant="secondary" size="sm" onClick={() => void level.refresh()}>
          {progressStrings.tryAgain}
        </Button>
      </p>
    );
  }
  const current = levelByNumber(level.current);
  return (
    <LevelStrip
      title={levelStripStrings.title}
      steps={levels}
      current={level.current}
      className={className}
      explain={current ? explainStep : undefined}
      progress={
        current && progress.status === "ready"
          ? levelCompletion(progress.requirements[current.number], progress.counters)
          : undefined
      }
    />
  );
}

function explainStep({ number }: { readonly number: number }) {
  return <LockedSection level={levelByNumber(number)?.number ?? 1} />;
}
