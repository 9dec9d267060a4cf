import { nextStepHints } from "../strings.ts";
import type { Answers } from "../model/questions.ts";
import { OneQuestionAtATime } from "./one-question-at-a-time.tsx";
import { QuestionFields, useAnswersForm } from "./question-fields.tsx";
import { StepActions } from "./step-actions.tsx";

export interface QuestionsStepProps {
  readonly page: 6 | 7;
  readonly answers: Answers;
  /** Called with every change, so that nothing typed is lost. */
  readonly onDraft: (answers: Answers) => void;
  readonly onBack: () => void;
  readonly onContinue: (answers: Answers) => void;
}

/** A page of questions: those about the member one at a time, those of the profile as the short form they are. */
export function QuestionsStep({ page, answers, onDraft, onBack, onContinue }: QuestionsStepProps) {
  const form = useAnswersForm(page, answers);
  return (
    <form
      noValidate
      className="grid gap-6"
      onChange={() => onDraft(form.getValues())}
      onSubmit={(event) => void form.handleSubmit((values) => onContinue(values))(event)}
    >
      {page === 6 ? (
        <OneQuestionAtATime page={page} form={form} />
      ) : (
        <QuestionFields page={page} form={form} />
      )}
      <StepActions onBack={onBack} next={nextStepHints[page]} />
    </form>
  );
}
