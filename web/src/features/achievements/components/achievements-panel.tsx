import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { Card } from "@/ui/card.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { streakText } from "./progress-text.ts";
import { nearestOf, type Achievements } from "../model/achievements.ts";
import { useAchievements } from "../queries.ts";
import { achievementStrings, explainAchievementError } from "../strings.ts";
import { NextAchievements } from "./next-achievements.tsx";

/** The streak, what was achieved, and what is nearest; all of it is one link away. */
export function AchievementsPanel() {
  const { data, isError, error, isFetching, refetch } = useAchievements();
  return (
    <section aria-labelledby="achievements" className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h2 id="achievements" className="display text-xl">
          {achievementStrings.heading}
        </h2>
        <Link
          to={paths.achievements}
          className="inline-flex min-h-11 items-center text-sm underline underline-offset-4"
        >
          {achievementStrings.seeAll}
        </Link>
      </div>
      {data ? (
        <Card>
          <PanelBody achievements={data} />
        </Card>
      ) : isError ? (
        <LoadFailed
          title={achievementStrings.failed}
          reassurance={achievementStrings.reassurance}
          busy={isFetching}
          advice={explainAchievementError(error)}
          onRetry={() => void refetch()}
        />
      ) : (
        <Loading label={achievementStrings.loading}>
          <Skeleton className="h-32 rounded-card" />
        </Loading>
      )}
    </section>
  );
}

function PanelBody({ achievements }: { readonly achievements: Achievements }) {
  const { earned, next, streak, certificates } = achievements;
  const nearest = nearestOf(next);
  return (
    <div className="grid gap-5">
      <p className="tabular max-w-prose">
        {earned.length === 0
          ? achievementStrings.empty
          : achievementStrings.totals(earned.length, certificates.length)}{" "}
        <span className="text-muted">{streakText(streak) ?? achievementStrings.streakNone}</span>
      </p>
      {nearest === null ? null : <NextAchievements next={[nearest]} />}
    </div>
  );
}
