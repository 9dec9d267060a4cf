import { levels, maximumLevel } from "@/domain/levels.ts";
import { useLevelRequirements } from "@/features/levels/index.ts";
import { retryLaterMessage } from "@/lib/errors.ts";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { formatRequirement } from "../../model/format-requirement.ts";
import { Prose } from "../prose.tsx";

const opens = {
  1: "Five chat rooms, and the feed of learning submissions.",
  2: "Knowledge articles and courses, and four more rooms.",
  3: "Business articles and courses, and five more rooms.",
  4: "Wealth articles and courses, and the last five of nineteen rooms.",
} as const;

export function LevelsStep() {
  const { data, isError, error, isFetching, refetch } = useLevelRequirements();
  return (
    <>
      <Prose>
        <p>
          There are four levels. You start at the first. As soon as you have done what a level asks
          for, the next one opens automatically.
        </p>
      </Prose>
      <ol className="grid gap-4">
        {levels.map((level) => (
          <li
            key={level.number}
            data-accent={level.accent}
            className="grid gap-3 border-l-3 border-accent pl-5 sm:grid-cols-[12rem_1fr] sm:gap-6"
          >
            <div>
              <p className="tabular text-sm text-muted">Level {level.number}</p>
              <h2 className="display text-xl">{level.name}</h2>
              <p className="mt-1 text-sm text-muted">{opens[level.number]}</p>
            </div>
            <div>
              <p className="text-sm font-medium">
                {level.number < maximumLevel
                  ? `To reach Level ${level.number + 1}`
                  : "To complete all four levels"}
              </p>
              <ul className="tabular mt-1 grid gap-1">
                {data?.[level.number].map((requirement) => (
                  <li key={requirement.kind}>{formatRequirement(requirement)}</li>
                ))}
              </ul>
              {!data && !isError ? (
                <Loading label={`Loading what Level ${level.number} asks for`}>
                  <Skeleton className="h-16" />
                </Loading>
              ) : null}
            </div>
          </li>
        ))}
      </ol>
      {!data && isError ? (
        <LoadFailed
          title="We couldn't load what each level asks for"
          busy={isFetching}
          advice={retryLaterMessage(error)}
          onRetry={() => void refetch()}
        />
      ) : null}
      <Prose>
        <p>
          Messages, replies and likes are counted from your first day and never reset, so those of
          Level 1 count towards Level 2 as well. Articles and courses count in their own category,
          and each one counts once. You can see every figure on your dashboard.
        </p>
      </Prose>
    </>
  );
}
