import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { Alert } from "@/ui/alert.tsx";
import { SelectField } from "@/ui/select-field.tsx";
import { TextArea, TextField } from "@/ui/text-field.tsx";
import { requiredFieldsMessage } from "../strings.ts";
import {
  commitmentLevels,
  isMissing,
  questionsOf,
  type Answers,
  type Question,
} from "../model/questions.ts";
import { StepActions } from "./step-actions.tsx";

const answer = z.string();
const answersShape = z.object({
  current_situation: answer,
  biggest_challenge: answer,
  goals_6_months: answer,
  goals_1_year: answer,
  motivation: answer,
  commitment_level: answer,
  first_name: answer,
  last_name: answer,
  occupation: answer,
  bio: answer,
});

function schemaOf(page: 6 | 7) {
  return answersShape.check((context) => {
    for (const question of questionsOf(page)) {
      if (!isMissing(question, context.value)) continue;
      const { key } = question;
      context.issues.push({
        code: "custom",
        input: context.value[key],
        path: [key],
        message: "Please answer this question.",
      });
    }
  });
}
const schemas = { 6: schemaOf(6), 7: schemaOf(7) } as const;

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
  const form = useForm<Answers>({
    defaultValues: answers,
    resolver: zodResolver(schemas[page]),
    reValidateMode: "onChange",
  });
  const { errors } = form.formState;
  const missing = questionsOf(page)
    .filter(({ key }) => errors[key] !== undefined)
    .map(({ text }) => text);

  return (
    <form
      noValidate
      className="grid gap-6"
      onChange={() => onDraft(form.getValues())}
      onSubmit={(event) => void form.handleSubmit((values) => onContinue(values))(event)}
    >
      {questionsOf(page).map((question) => (
        <QuestionField
          key={question.key}
          question={question}
          error={errors[question.key]?.message}
          {...form.register(question.key)}
        />
      ))}
      {missing.length > 0 ? <Alert tone="danger">{requiredFieldsMessage(missing)}</Alert> : null}
      <StepActions onBack={onBack} />
    </form>
  );
}

type QuestionFieldProps = {
  readonly question: Question;
  readonly error: string | undefined;
} & ReturnType<ReturnType<typeof useForm<Answers>>["register"]>;

function QuestionField({ question, error, ...registration }: QuestionFieldProps) {
  const texts = { label: question.text, hint: question.hint, error };
  const shared = { ...texts, ...registration, required: question.required };
  switch (question.kind) {
    case "long":
      return <TextArea {...shared} maxLength={question.maximum} />;
    case "scale":
      return (
        <SelectField
          {...shared}
          placeholder="Choose a number"
          options={commitmentLevels.map((value) => ({ value, label: value }))}
        />
      );
    case "line":
      return (
        <TextField
          {...shared}
          type="text"
          maxLength={question.maximum}
          autoComplete={question.autoComplete}
        />
      );
  }
}
