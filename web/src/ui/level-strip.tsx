import { Check, Lock } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { LockedDoor } from "./locked-door.tsx";
import { ProgressBar } from "./progress.tsx";
import type { RisingStep } from "./rising-line.tsx";

export interface LevelStripProps {
  readonly title: string;
  readonly steps: readonly RisingStep[];
  readonly current: number;
  /** How far the present step is done. */
  readonly progress?: { readonly percent: number } | undefined;
  /** What a step asks for; with it, locked steps can be pressed. */
  readonly explain?: ((step: RisingStep) => ReactNode) | undefined;
  readonly className?: string | undefined;
}

/** The steps in a row: those behind, the present one, and those still locked. */
export function LevelStrip({
  title,
  steps,
  current,
  progress,
  explain,
  className,
}: LevelStripProps) {
  return (
    <section aria-label={title} className={classNames("grid gap-3", className)}>
      <h2 className="text-sm font-medium text-muted">{title}</h2>
      <ol className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        {steps.map((step) => {
          const state = step.number < current ? "done" : step.number === current ? "now" : "ahead";
          return (
            <li
              key={step.number}
              data-accent={step.accent}
              data-state={state}
              aria-current={state === "now" ? "step" : undefined}
              className={classNames(
                "grid content-start gap-1 border-t-3 pt-3",
                state === "ahead" ? "border-line" : "border-accent",
              )}
            >
              <span className="flex items-center gap-1.5 text-sm text-muted">
                Level <span className="tabular">{step.number}</span>
                {state === "done" ? (
                  <>
                    <Check aria-hidden className="size-3.5 text-accent" />
                    <span className="sr-only">reached</span>
                  </>
                ) : null}
                {state === "ahead" ? (
                  <>
                    <Lock aria-hidden className="size-3.5" />
                    <span className="sr-only">locked</span>
                  </>
                ) : null}
                {state === "now" ? <span className="text-accent">· Now</span> : null}
              </span>
              {state === "ahead" && explain ? (
                <LockedDoor
                  label={step.name}
                  locked={{ opensAt: `Level ${step.number}`, explanation: explain(step) }}
                  className="-mx-2 -my-2 flex min-h-11 items-center justify-self-start rounded-control px-2 text-muted underline decoration-line underline-offset-4 hover:text-ink hover:decoration-current"
                >
                  {step.name}
                </LockedDoor>
              ) : (
                <span className={state === "ahead" ? "text-muted" : "font-medium text-ink"}>
                  {step.name}
                </span>
              )}
              {state === "now" && progress ? (
                <div className="mt-1 flex items-center gap-2">
                  <ProgressBar
                    label={`Progress at level ${step.number}`}
                    value={progress.percent}
                    className="grow"
                  />
                  <span className="tabular text-xs text-muted">{progress.percent}%</span>
                </div>
              ) : null}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
