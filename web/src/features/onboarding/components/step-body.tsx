import { GuaranteeStart } from "@/features/guarantee/index.ts";
import { OnboardingIdentityStep } from "@/features/verification/index.ts";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import type { Answers } from "../model/questions.ts";
import type { StepNumber } from "../model/steps.ts";
import { confirmationStepStrings, nextStepHints, onboardingStrings } from "../strings.ts";
import { ConfirmationStep } from "./confirmation-step.tsx";
import { QuestionsStep } from "./questions-step.tsx";
import { StepActions } from "./step-actions.tsx";
import { FirstWeekStep } from "./steps/first-week-step.tsx";
import { LearningStep } from "./steps/learning-step.tsx";
import { LevelsStep } from "./steps/levels-step.tsx";
import { RoomsStep } from "./steps/rooms-step.tsx";
import { WelcomeStep } from "./steps/welcome-step.tsx";

export interface StepBodyProps {
  readonly number: StepNumber;
  readonly answers: Answers;
  readonly onDraft: (answers: Answers) => void;
  readonly onBack: (() => void) | undefined;
  readonly onAdvance: (answers: Answers) => void;
  readonly onComplete: () => Promise<void>;
}

const texts = {
  1: WelcomeStep,
  2: LevelsStep,
  3: RoomsStep,
  4: LearningStep,
  5: FirstWeekStep,
} as const;

const nothing = () => {};

/** What stands under the heading of a step. */
export function StepBody({
  number,
  answers,
  onDraft,
  onBack = nothing,
  onAdvance,
  onComplete,
}: StepBodyProps) {
  switch (number) {
    case 6:
    case 7:
      return (
        <QuestionsStep
          page={number}
          answers={answers}
          onDraft={onDraft}
          onBack={onBack}
          onContinue={onAdvance}
        />
      );
    case 8:
      return (
        <OnboardingIdentityStep
          renderActions={({ ready, busy, onContinue }) => (
            <StepActions
              onBack={onBack}
              next={nextStepHints[8]}
              disabled={!ready}
              busy={busy}
              onContinue={() => {
                void onContinue().then((done) => {
                  if (done) onAdvance(answers);
                });
              }}
            />
          )}
        />
      );
    case 9:
      return (
        <>
          <GuaranteeStart skip={confirmationStepStrings.guaranteeSkip} />
          <ConfirmationStep answers={answers} onBack={onBack} onComplete={onComplete} />
        </>
      );
    case 1:
    case 2:
    case 3:
    case 4:
    case 5: {
      const Text = texts[number];
      return (
        <>
          <Text />
          <StepActions
            onBack={number === 1 ? undefined : onBack}
            next={nextStepHints[number]}
            onContinue={() => onAdvance(answers)}
          />
        </>
      );
    }
  }
}

/** Lines of text on their way. */
export function BodySkeleton() {
  return (
    <Loading label={onboardingStrings.loadingStep} className="grid gap-3">
      <Skeleton className="h-5" />
      <Skeleton className="h-5" />
      <Skeleton className="h-5 w-2/3" />
    </Loading>
  );
}
