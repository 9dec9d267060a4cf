import { useState } from "react";
import { useUserId } from "@/features/session/index.ts";
import { retryLaterMessage } from "@/lib/errors.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { toast } from "@/ui/toast.tsx";
import { questionsOf, type Answers } from "../model/questions.ts";
import { useSaveAnswers } from "../mutations.ts";
import { useSavedAnswers } from "../queries.ts";
import { onboardingStrings } from "../strings.ts";
import { QuestionFields, useAnswersForm } from "./question-fields.tsx";

/** Edits what was answered on a page of onboarding: 6 the goals, 7 the profile. */
export function EditAnswers({ page }: { readonly page: 6 | 7 }) {
  const userId = useUserId();
  const { data, isError, error, isFetching, refetch } = useSavedAnswers(page);
  if (data) return <AnswersForm key={userId} page={page} answers={data} />;
  if (isError) {
    return (
      <LoadFailed
        title={onboardingStrings.answersNotLoaded}
        busy={isFetching}
        advice={retryLaterMessage(error)}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <Loading label={onboardingStrings.loadingAnswers} className="grid gap-6">
      {questionsOf(page).map(({ key }) => (
        <Skeleton key={key} className="h-16" />
      ))}
    </Loading>
  );
}

function AnswersForm({ page, answers }: { readonly page: 6 | 7; readonly answers: Answers }) {
  const form = useAnswersForm(page, answers);
  const save = useSaveAnswers(page);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);
  const { isDirty } = form.formState;

  async function submit(values: Answers) {
    setBusy(true);
    setFailed(false);
    try {
      await save(values);
      form.reset(values);
      toast.good(onboardingStrings.answersSaved);
    } catch (error) {
      console.error("The answers were not saved", error);
      setFailed(true);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form
      noValidate
      aria-label={onboardingStrings.answersForm[page]}
      className="grid gap-6"
      onSubmit={(event) => void form.handleSubmit(submit)(event)}
    >
      <QuestionFields page={page} form={form} />
      {failed ? <Alert tone="danger">{onboardingStrings.answersNotSaved}</Alert> : null}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" loading={busy} disabled={!isDirty}>
          {onboardingStrings.saveAnswers}
        </Button>
        <Button variant="quiet" disabled={!isDirty || busy} onClick={() => form.reset()}>
          {onboardingStrings.discardAnswers}
        </Button>
      </div>
    </form>
  );
}
