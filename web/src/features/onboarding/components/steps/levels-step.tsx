import { levels, maximumLevel } from "@/domain/levels.ts";
import { useLevelRequirements } from "@/features/levels/index.ts";
import { retryLaterMessage } from "@/lib/errors.ts";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { formatRequirement, levelsStepStrings } from "../../strings.ts";
import { Prose } from "../prose.tsx";

export function LevelsStep() {
  const { data, isError, error, isFetching, refetch } = useLevelRequirements();
  return (
    <>
      <Prose>
        <p>{levelsStepStrings.intro}</p>
      </Prose>
      <ol className="grid gap-4">
        {levels.map((level) => (
          <li
            key={level.number}
            data-accent={level.accent}
            className="grid gap-2 border-l-3 border-accent pl-5 sm:grid-cols-[1fr_16rem] sm:gap-8"
          >
            <div>
              <p className="tabular text-sm text-muted">{levelsStepStrings.level(level.number)}</p>
              <h2 className="display text-xl">{level.name}</h2>
              <p className="mt-1">{levelsStepStrings.opens[level.number]}</p>
            </div>
            <div>
              <p className="text-sm font-medium">
                {level.number < maximumLevel
                  ? levelsStepStrings.toReach(level.number + 1)
                  : levelsStepStrings.toComplete}
              </p>
              <ul className="tabular text-sm text-muted">
                {data?.[level.number].map((requirement) => (
                  <li key={requirement.kind}>{formatRequirement(requirement)}</li>
                ))}
              </ul>
              {!data && !isError ? (
                <Loading label={levelsStepStrings.loading(level.number)}>
                  <Skeleton className="h-16" />
                </Loading>
              ) : null}
            </div>
          </li>
        ))}
      </ol>
      {!data && isError ? (
        <LoadFailed
          title={levelsStepStrings.loadFailed}
          busy={isFetching}
          advice={retryLaterMessage(error)}
          onRetry={() => void refetch()}
        />
      ) : null}
      <Prose>
        <p className="text-sm text-muted">{levelsStepStrings.counting}</p>
      </Prose>
    </>
  );
}
