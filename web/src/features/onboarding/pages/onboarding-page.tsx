import { useState } from "react";
import { Link, Navigate, useNavigate, useSearchParams } from "react-router";
import { dashboardOf } from "@/domain/paths.ts";
import { useClosedPage, useUserId, type ClosedPage } from "@/features/session/index.ts";
import { Button } from "@/ui/button.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";
import { useCompleteOnboarding } from "../mutations.ts";
import { useOnboardingStart, type OnboardingStart } from "../queries.ts";
import { onboardingStrings, stepTitles } from "../strings.ts";
import type { Answers } from "../model/questions.ts";
import { parseStep, stepByNumber, stepCount } from "../model/steps.ts";
import { useOnboarding } from "../use-onboarding.ts";
import { BodySkeleton, StepBody } from "../components/step-body.tsx";
import { WizardFrame } from "../components/wizard-frame.tsx";

/** `/onboarding`: nine steps; `?step=` names the one to show. Without it the saved step is resumed. */
export function OnboardingPage() {
  const userId = useUserId();
  const closed = useClosedPage();
  const { data } = useOnboardingStart();
  if (!data) return <WizardSkeleton closed={closed} />;
  return <Wizard key={userId} userId={userId} start={data} closed={closed} />;
}

function WizardSkeleton({ closed }: Pick<WizardProps, "closed">) {
  return (
    <WizardFrame step={null} title={<Skeleton className="h-9 w-64" />} closed={closed}>
      <BodySkeleton />
    </WizardFrame>
  );
}

interface WizardProps {
  readonly userId: string;
  readonly start: OnboardingStart;
  readonly closed: ClosedPage | null;
}

function Wizard({ userId, start, closed }: WizardProps) {
  const completeOnboarding = useCompleteOnboarding();
  const navigate = useNavigate();
  const [parameters] = useSearchParams();
  const onboarding = useOnboarding(userId, start);
  // What the address without a step stands for, also when Back leads to it again.
  const [resumed] = useState(start.saved?.currentStep ?? 1);
  const [furthest, setFurthest] = useState(resumed);

  const asked = parseStep(parameters.get("step"));
  const step = stepByNumber(asked ?? resumed);
  if (!step) {
    return (
      <WizardFrame step={null} title={onboardingStrings.stepNotFound} closed={closed}>
        <p className="text-muted">{onboardingStrings.noSuchStep(stepCount)}</p>
        <div>
          <Button asChild>
            <Link to={`?step=${furthest}`}>{onboardingStrings.backToStep}</Link>
          </Button>
        </div>
      </WizardFrame>
    );
  }
  if (step.number > furthest) return <Navigate to={`?step=${furthest}`} replace />;

  const go = (to: number) => void navigate(`?step=${to}`);
  const onBack = step.number > 1 ? () => go(step.number - 1) : undefined;

  function advance(answers: Answers) {
    const from = step?.number ?? 1;
    onboarding.advance(from, from + 1, answers);
    setFurthest((known) => Math.max(known, from + 1));
    go(from + 1);
  }

  async function complete() {
    const role = await completeOnboarding(onboarding.answers, onboarding.clearDraft);
    await navigate(dashboardOf[role], { replace: true });
  }

  return (
    <WizardFrame step={step.number} title={stepTitles[step.number]} closed={closed}>
      <StepBody
        key={step.number}
        number={step.number}
        answers={onboarding.answers}
        onDraft={onboarding.saveDraft}
        onBack={onBack}
        onAdvance={advance}
        onComplete={complete}
      />
    </WizardFrame>
  );
}
