import { useState } from "react";
import { useWatch, type UseFormReturn } from "react-hook-form";
import { classNames } from "@/ui/class-names.ts";
import { Button } from "@/ui/button.tsx";
import { isMissing, questionsOf, type AnswerKey, type Answers } from "../model/questions.ts";
import { onboardingStrings } from "../strings.ts";
import { MissingAnswers, QuestionField } from "./question-fields.tsx";

/**
 * The questions of a page, one of them open with its hint and an example. The others wait in one line each, so that all
 * can be seen, and opened in any order.
 */
export function OneQuestionAtATime({
  page,
  form,
}: {
  readonly page: 6 | 7;
  readonly form: UseFormReturn<Answers>;
}) {
  const asked = questionsOf(page);
  const answers = useWatch({ control: form.control, compute: (values) => values });
  const unanswered = asked.filter((question) => isMissing(question, answers));
  const [open, setOpen] = useState<AnswerKey | undefined>((unanswered[0] ?? asked[0])?.key);
  const { errors } = form.formState;

  async function leave(key: AnswerKey, next: AnswerKey) {
    if (await form.trigger(key, { shouldFocus: true })) form.setFocus(next);
  }

  return (
    <>
      <p className="tabular text-sm text-muted">
        {onboardingStrings.answered(asked.length - unanswered.length, asked.length)}
      </p>
      <ol className="grid gap-3">
        {asked.map((question, place) => {
          const next = asked[place + 1];
          const isOpen = question.key === open;
          return (
            <li
              key={question.key}
              className={classNames(
                "grid gap-4 rounded-card border px-4 transition-colors",
                isOpen ? "border-line bg-raised py-4 sm:p-6" : "border-transparent py-1",
              )}
            >
              <QuestionField
                question={question}
                folded={!isOpen}
                answered={answers[question.key].trim() !== ""}
                onFocus={({ currentTarget }) => {
                  setOpen(question.key);
                  // Back at a field the page is scrolled to the field alone, and the header would lie over what it asks.
                  currentTarget
                    .closest("li")
                    ?.querySelector("label")
                    ?.scrollIntoView({ block: "nearest" });
                }}
                error={errors[question.key]?.message}
                {...form.register(question.key)}
              />
              {isOpen && next ? (
                <Button
                  className="justify-self-start"
                  variant="secondary"
                  onClick={() => void leave(question.key, next.key)}
                >
                  {onboardingStrings.nextQuestion}
                </Button>
              ) : null}
            </li>
          );
        })}
      </ol>
      <MissingAnswers page={page} form={form} />
    </>
  );
}
