import { zodResolver } from "@hookform/resolvers/zod";
import type { FocusEventHandler } from "react";
import { useForm, type UseFormReturn } from "react-hook-form";
import * as z from "zod/mini";
import { Alert } from "@/ui/alert.tsx";
import { isVisibleName } from "@/domain/visible-name.ts";
import { SelectField } from "@/ui/select-field.tsx";
import { TextArea, TextField } from "@/ui/text-field.tsx";
import { onboardingStrings, requiredFieldsMessage, questionTexts } from "../strings.ts";
import {
  commitmentLevels,
  isMissing,
  questionsOf,
  type Answers,
  type Question,
  forEveryAnswer,
} from "../model/questions.ts";

const answersShape = z.object(forEveryAnswer(z.string()));

function schemaOf(page: 6 | 7) {
  return answersShape.check((context) => {
    for (const question of questionsOf(page)) {
      const { key } = question;
      const input = context.value[key];
      const isName = key === "first_name" || key === "last_name";
      const message = isMissing(question, context.value)
        ? onboardingStrings.answerMissing
        : isName && !isVisibleName(input)
          ? onboardingStrings.nameUnreadable
          : null;
      if (message !== null) context.issues.push({ code: "custom", input, path: [key], message });
    }
  });
}
const schemas = { 6: schemaOf(6), 7: schemaOf(7) } as const;

/** The form of a page of questions, with the rules of onboarding. */
export function useAnswersForm(page: 6 | 7, answers: Answers): UseFormReturn<Answers> {
  return useForm<Answers>({
    defaultValues: answers,
    resolver: zodResolver(schemas[page]),
    reValidateMode: "onChange",
  });
}

interface QuestionsProps {
  readonly page: 6 | 7;
  readonly form: UseFormReturn<Answers>;
}

/** The questions of a page, and below them which ones still need an answer. */
export function QuestionFields({ page, form }: QuestionsProps) {
  const { errors } = form.formState;
  return (
    <>
      {questionsOf(page).map((question) => (
        <QuestionField
          key={question.key}
          question={question}
          error={errors[question.key]?.message}
          {...form.register(question.key)}
        />
      ))}
      <MissingAnswers page={page} form={form} />
    </>
  );
}

/** Names the questions of a page that were left without an answer. */
export function MissingAnswers({ page, form }: QuestionsProps) {
  const { errors } = form.formState;
  const missing = questionsOf(page)
    .filter(({ key }) => errors[key]?.message === onboardingStrings.answerMissing)
    .map(({ key }) => questionTexts[key].text);
  if (missing.length === 0) return null;
  return <Alert tone="danger">{requiredFieldsMessage(missing)}</Alert>;
}

type QuestionFieldProps = {
  readonly question: Question;
  readonly error: string | undefined;
  /** Where one is open at a time: whether this one waits in a line, without hint and example. */
  readonly folded?: boolean;
  /** Where one is open at a time: whether this one holds an answer, which then shows as text. */
  readonly answered?: boolean;
  readonly onFocus?: FocusEventHandler<HTMLElement>;
} & ReturnType<UseFormReturn<Answers>["register"]>;

/** A question that waits for its answer. */
const lineClasses = "max-h-11 min-h-11 resize-none overflow-hidden";
/** An answer as it reads, still the field that opens with the focus. */
const answerClasses =
  "max-h-48 min-h-0 resize-none border-transparent bg-transparent px-0 py-0 text-muted hover:text-ink";

/** A question with what helps to answer it. */
export function QuestionField(props: QuestionFieldProps) {
  const { question, error, folded, answered, ...registration } = props;
  const { text: label, hint, example } = questionTexts[question.key];
  const help =
    example === undefined || folded === undefined ? (
      hint
    ) : (
      <>
        {hint}
        <span className="mt-1 block italic">{onboardingStrings.example(example)}</span>
      </>
    );
  const texts = { label, hint: folded ? undefined : help, error };
  const shared = { ...texts, ...registration, required: question.required };
  switch (question.kind) {
    case "long":
      return (
        <TextArea
          {...shared}
          rows={folded ? 1 : 4}
          className={folded ? (answered ? answerClasses : lineClasses) : undefined}
          maxLength={question.maximum}
        />
      );
    case "scale":
      return (
        <SelectField
          {...shared}
          placeholder={onboardingStrings.chooseNumber}
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
