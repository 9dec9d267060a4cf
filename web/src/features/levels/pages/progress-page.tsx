import { Navigate, useLocation, useSearchParams } from "react-router";
import { overallCompletion } from "@/domain/level-progress.ts";
import { paths } from "@/domain/paths.ts";
import { AchievementsPanel } from "@/features/achievements/index.ts";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import {
  formatProgressEventFilter,
  parseProgressEventFilter,
  type ProgressEventFilter,
} from "../model/progress-event.ts";
import { useLevel } from "../queries.ts";
import { useProgress } from "../queries.ts";
import { progressStrings } from "../strings.ts";
import { GoalsPanel } from "../components/goals-panel.tsx";
import { ProgressEventSheet } from "../components/progress-event-sheet.tsx";
import { HistoryCharts } from "../components/history-charts.tsx";
import { LevelColumns } from "../components/level-columns.tsx";
import { ProgressSummary } from "../components/progress-summary.tsx";

/** `/progress`: the progress through all four levels, with the evidence one click away (`?evidence=`). */
export function ProgressPage() {
  const { hash } = useLocation();
  const level = useLevel();
  const progress = useProgress();
  const [parameters, setParameters] = useSearchParams();
  const shown = parseProgressEventFilter(parameters.get("evidence"));

  function show(of: ProgressEventFilter | null) {
    setParameters(
      (before) => {
        const next = new URLSearchParams(before);
        if (of === null) next.delete("evidence");
        else next.set("evidence", formatProgressEventFilter(of));
        return next;
      },
      { preventScrollReset: true },
    );
  }

  // Where the guarantee was before it had a page of its own, as links in e-mails still say.
  if (hash === "#guarantee") return <Navigate replace to={paths.progressGuarantee} />;

  const failed = level.status === "failed" || progress.status === "failed";
  const ready = level.status === "ready" && progress.status === "ready";
  return (
    <div className="grid grid-cols-1 gap-10">
      <PageHeader className="pb-0" title={progressStrings.title} intro={progressStrings.intro} />
      {failed ? (
        <LoadFailed
          title={progressStrings.loadFailed}
          reassurance={progressStrings.nothingLost}
          busy={progress.isFetching}
          onRetry={() => {
            void level.refresh();
            void progress.refresh();
          }}
        />
      ) : null}
      {!failed && !ready ? <PageSkeleton /> : null}
      {ready ? (
        <>
          <ProgressSummary
            level={level.current}
            completion={overallCompletion(progress.requirements, progress.counters)}
          />
          <GoalsPanel
            level={level.current}
            requirements={progress.requirements}
            counters={progress.counters}
          />
          <LevelColumns
            level={level.current}
            requirements={progress.requirements}
            counters={progress.counters}
            onShowEvents={show}
          />
          <AchievementsPanel />
          <HistoryCharts />
        </>
      ) : null}
      <ProgressEventSheet of={shown} onClose={() => show(null)} />
    </div>
  );
}

function PageSkeleton() {
  return (
    <Loading label={progressStrings.loading} className="grid gap-10">
      <div className="flex flex-wrap items-center gap-10">
        <Skeleton className="size-52 rounded-full" />
        <div className="grid grow gap-3">
          <Skeleton className="h-10 w-64" />
          <Skeleton className="w-full max-w-sm" />
        </div>
      </div>
      <div className="grid gap-6 sm:grid-cols-2 xl:grid-cols-4">
        {[1, 2, 3, 4].map((each) => (
          <Skeleton key={each} className="h-56" />
        ))}
      </div>
    </Loading>
  );
}
