import { useEffect, useRef, useState, type ReactNode } from "react";
import { brand } from "@/domain/brand.ts";
import { paths } from "@/domain/paths.ts";
import { ClosedPageReason, useSession, type ClosedPage } from "@/features/session/index.ts";
import { Button } from "@/ui/button.tsx";
import { ProgressBar } from "@/ui/progress.tsx";
import { Wordmark } from "@/ui/rising-line.tsx";
import { stepProgress, stepCount } from "../model/steps.ts";
import { onboardingStrings } from "../strings.ts";

export interface WizardFrameProps {
  /** Null while it is not known, and for a step that does not exist. */
  readonly step: number | null;
  readonly title: ReactNode;
  /** The page that was asked for and opens after onboarding. */
  readonly closed: ClosedPage | null;
  readonly children: ReactNode;
}

/** Mark, progress by ninths, and one thought below. */
export function WizardFrame({ step, title, closed, children }: WizardFrameProps) {
  const { signOut } = useSession();
  const [leaving, setLeaving] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(step);

  // The page stays, only the step changes: take keyboard and screen reader along.
  useEffect(() => {
    if (before.current === step) return;
    const moved = before.current !== null;
    before.current = step;
    if (moved) heading.current?.focus({ preventScroll: true });
  }, [step]);

  return (
    <div className="min-h-dvh bg-paper">
      <header className="sticky top-0 z-20 bg-paper">
        <div className="flex items-center justify-between gap-4 px-4 py-3 sm:px-8">
          <a
            href={paths.landing}
            aria-label={onboardingStrings.frontPage}
            className="inline-flex rounded-control"
          >
            <Wordmark name={brand.name} />
          </a>
          <Button
            variant="quiet"
            size="sm"
            loading={leaving}
            onClick={() => {
              setLeaving(true);
              void signOut().finally(() => setLeaving(false));
            }}
          >
            {onboardingStrings.signOut}
          </Button>
        </div>
        <ProgressBar
          className="h-1 rounded-none"
          label={onboardingStrings.progress}
          value={step === null ? 0 : stepProgress(step)}
          valueText={step === null ? undefined : onboardingStrings.step(step, stepCount)}
        />
      </header>
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto grid w-full max-w-column gap-6 px-4 pt-8 pb-16 focus:outline-none sm:px-8 sm:pt-14"
      >
        <ClosedPageReason page={closed} />
        <div className="grid gap-1.5">
          <p className="tabular min-h-5 text-sm text-muted">
            {step === null ? null : onboardingStrings.step(step, stepCount)}
          </p>
          <h1
            ref={heading}
            tabIndex={-1}
            className="display text-2xl focus:outline-none sm:text-3xl"
          >
            {title}
          </h1>
        </div>
        {children}
      </main>
    </div>
  );
}
