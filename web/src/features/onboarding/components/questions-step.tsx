import type { Answers } from "../model/questions.ts";
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

/** A page of questions. */
export function QuestionsStep({ page, answers, onDraft, onBack, onContinue }: QuestionsStepProps) {
  const form = useAnswersForm(page, answers);
  return (
    <form
      noValidate
      className="grid gap-6"
      onChange={() => onDraft(form.getValues())}
      onSubmit={(event) => void form.handleSubmit((values) => onContinue(values))(event)}
    >
      <QuestionFields page={page} form={form} />
      <StepActions onBack={onBack} />
    </form>
  );
}
