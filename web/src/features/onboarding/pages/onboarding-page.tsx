import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, Navigate, useNavigate, useSearchParams } from "react-router";
import { dashboardOf } from "@/domain/paths.ts";
import { useSession, useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { Button } from "@/ui/button.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";
import { completeOnboarding } from "../api/complete-onboarding.ts";
import { selectProgress } from "../api/select-progress.ts";
import { onboardingStrings } from "../strings.ts";
import type { Answers } from "../model/questions.ts";
import { parseStep, stepByNumber, stepCount } from "../model/steps.ts";
import { useOnboarding, type Start } from "../use-onboarding.ts";
import { BodySkeleton, StepBody } from "../components/step-body.tsx";
import { WizardFrame } from "../components/wizard-frame.tsx";

/** `/onboarding`: nine steps; `?step=` names the one to show. Without it the saved step is resumed. */
export function OnboardingPage() {
  const { client } = useBackend();
  const userId = useUserId();
  const { data } = useQuery({
    queryKey: ["onboarding", userId],
    queryFn: async (): Promise<Start> => {
      try {
        return { saved: await selectProgress(client, userId), known: true };
      } catch (error) {
        console.error("Onboarding progress could not be read", error);
        return { saved: null, known: false };
      }
    },
    enabled: userId !== "",
    networkMode: "always",
    staleTime: Infinity,
    gcTime: 0,
  });
  if (!data) return <WizardSkeleton />;
  return <Wizard key={userId} userId={userId} start={data} />;
}

function WizardSkeleton() {
  return (
    <WizardFrame step={null} title={<Skeleton className="h-9 w-64" />}>
      <BodySkeleton />
    </WizardFrame>
  );
}

interface WizardProps {
  readonly userId: string;
  readonly start: Start;
}

function Wizard({ userId, start }: WizardProps) {
  const { client } = useBackend();
  const { refreshProfile, role } = useSession();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [parameters] = useSearchParams();
  const onboarding = useOnboarding(userId, start);
  const [furthest, setFurthest] = useState(start.saved?.currentStep ?? 1);

  const asked = parseStep(parameters.get("step"));
  const step = stepByNumber(asked ?? furthest);
  if (!step) {
    return (
      <WizardFrame step={null} title={onboardingStrings.stepNotFound}>
        <p className="text-muted">Onboarding has {stepCount} steps, and this isn't one of them.</p>
        <div>
          <Button asChild>
            <Link to={`?step=${furthest}`}>Back to where you were</Link>
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
    await completeOnboarding(client, userId, onboarding.answers);
    onboarding.forget();
    const profile = await refreshProfile();
    await queries.invalidateQueries({
      predicate: (query) => query.queryKey.includes(userId) && query.queryKey[0] !== "onboarding",
    });
    await navigate(dashboardOf[profile?.role ?? role], { replace: true });
  }

  return (
    <WizardFrame step={step.number} title={step.title}>
      <StepBody
        key={step.number}
        number={step.number}
        answers={onboarding.answers}
        onDraft={onboarding.keep}
        onBack={onBack}
        onAdvance={advance}
        onComplete={complete}
      />
    </WizardFrame>
  );
}
