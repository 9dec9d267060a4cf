import { Link } from "react-router";
import type { LevelRequirements, ProgressCounters } from "@/domain/level-progress.ts";
import { levelByNumber } from "@/domain/levels.ts";
import { paths } from "@/domain/paths.ts";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { TextLink } from "@/ui/text-link.tsx";
import { useGoals, useNextStep } from "../queries.ts";
import { goalsPanelStrings } from "../strings.ts";

export interface GoalsPanelProps {
  readonly level: number;
  readonly requirements: LevelRequirements;
  readonly counters: ProgressCounters;
}

/** The next step, and beside it what it is for, in the member's own words. */
export function GoalsPanel({ level, requirements, counters }: GoalsPanelProps) {
  const current = levelByNumber(level);
  const step = useNextStep(current?.number, requirements, counters);
  const { data: goals } = useGoals();
  const hasGoals = goals !== undefined && (goals.inSixMonths !== "" || goals.inAYear !== "");
  if (step === null && !hasGoals) return null;
  return (
    <Card data-accent={current?.accent} className="grid gap-x-12 gap-y-8 md:grid-cols-2">
      {step ? (
        <section
          aria-labelledby="next-step"
          className="grid content-start justify-items-start gap-3"
        >
          <h2 id="next-step" className="display text-xl">
            {goalsPanelStrings.stepTitle}
          </h2>
          <p className="tabular">{step.sentence}</p>
          <Button asChild variant="accent">
            <Link to={step.to}>{step.label}</Link>
          </Button>
        </section>
      ) : null}
      {hasGoals ? (
        <section aria-labelledby="goals" className="grid min-w-0 content-start gap-3">
          <h2 id="goals" className="display text-xl">
            {goalsPanelStrings.goalsTitle}
          </h2>
          <dl className="grid gap-3">
            <Goal name={goalsPanelStrings.inSixMonths} text={goals.inSixMonths} />
            <Goal name={goalsPanelStrings.inAYear} text={goals.inAYear} />
          </dl>
          <p className="text-sm text-muted">
            {goalsPanelStrings.private.before}
            <TextLink to={`${paths.account}#goals`}>{goalsPanelStrings.private.link}</TextLink>
          </p>
        </section>
      ) : null}
    </Card>
  );
}

function Goal({ name, text }: { readonly name: string; readonly text: string }) {
  if (text === "") return null;
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{name}</dt>
      <dd dir="auto" className="line-clamp-4 break-words whitespace-pre-line">
        {text}
      </dd>
    </div>
  );
}
