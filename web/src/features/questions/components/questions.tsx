import { Check } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { questionFragment } from "@/domain/paths.ts";
import { timeAgo } from "@/lib/format-time.ts";
import { useNow } from "@/lib/use-now.ts";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { classNames } from "@/ui/class-names.ts";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { toast } from "@/ui/toast.tsx";
import {
  answerQuestion,
  askQuestion,
  deleteQuestion,
  markAnswerHelpful,
} from "../api/questions.ts";
import {
  maxAnswerLength,
  maxQuestionLength,
  type TextQuestion,
  type QuestionedText,
  type QuestionList,
} from "../model/question.ts";
import { useQuestionAction } from "../mutations.ts";
import { useQuestions } from "../queries.ts";
import { explainQuestionError, writerName, questionStrings } from "../strings.ts";
import { useLeadToQuestion, useLinkedQuestion } from "../use-linked-question.ts";
import { useLiveQuestions } from "../use-live-questions.ts";
import { WordsForm } from "./words-form.tsx";

const RemovalDialog = lazy(() => import("./removal-dialog.ts"));

/** The questions under an article or lesson: asked by its readers, answered by its mentor. */
export function Questions({ text }: { readonly text: QuestionedText }) {
  const { data, isError, isFetching, refetch } = useQuestions(text);
  const act = useQuestionAction();
  useLiveQuestions();
  /** The questions from before one was asked, until that one is there. */
  const before = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    const asked = data?.items.find(({ id, is_own }) => is_own && before.current?.has(id) === false);
    if (asked === undefined) return;
    before.current = null;
    document.getElementById(elementId(asked.id))?.focus();
  }, [data]);
  return (
    <section
      aria-labelledby="questions"
      className="grid w-full max-w-reading grid-cols-1 gap-5 border-t border-line pt-7 print:hidden"
    >
      <h2 id="questions" className="display text-2xl">
        {questionStrings.title}
      </h2>
      {data ? (
        <>
          <QuestionItems key={text.articleId ?? text.moduleId} list={data} />
          {data.may_ask ? (
            <WordsForm
              label={questionStrings.ask}
              hint={questionStrings.askHint}
              button={questionStrings.sendQuestion}
              maxLength={maxQuestionLength}
              onSend={(words) => {
                before.current = new Set(data.items.map(({ id }) => id));
                return act((client) => askQuestion(client, text, words));
              }}
            />
          ) : null}
        </>
      ) : isError ? (
        <LoadFailed
          title={questionStrings.failed}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <Loading label={questionStrings.loading}>
          <Skeleton className="h-16 rounded-card" />
        </Loading>
      )}
    </section>
  );
}

function QuestionItems({ list }: { readonly list: QuestionList }) {
  const act = useQuestionAction();
  const [asking, setAsking] = useState<TextQuestion | null>(null);
  const [busy, setBusy] = useState(false);
  const isOthers = asking?.is_own === false;
  // What was seen without an answer and then has one is marked until the text is left, as new messages are in a room.
  const [seen, setSeen] = useState<readonly string[]>([]);
  const waiting = list.items.filter(({ id, answer }) => answer === null && !seen.includes(id));
  if (waiting.length > 0) setSeen([...seen, ...waiting.map(({ id }) => id)]);
  const isNew = ({ id, answer }: TextQuestion) =>
    !list.may_answer && answer !== null && seen.includes(id);
  const linked = useLinkedQuestion();
  const isThere = list.items.some(({ id }) => id === linked.id);
  useLeadToQuestion(linked, isThere, () => document.getElementById(elementId(linked.id ?? "")));

  async function deleteAsked(explanation: string | null): Promise<void> {
    if (!asking) return;
    setBusy(true);
    try {
      await act((client) => deleteQuestion(client, asking.id, explanation));
      toast.good(questionStrings.deleted);
    } catch (error) {
      console.error("The question was not deleted", error);
      toast.danger(questionStrings.deleteFailed(explainQuestionError(error)));
    } finally {
      setBusy(false);
      setAsking(null);
    }
  }

  if (list.items.length === 0) {
    return (
      <p className="text-muted">
        {list.may_ask ? questionStrings.empty : questionStrings.emptyForAuthor}
      </p>
    );
  }
  return (
    <>
      <ul className="grid grid-cols-1 gap-6">
        {list.items.map((item) => (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A notification leads to it.
          <li
            key={item.id}
            id={elementId(item.id)}
            tabIndex={-1}
            aria-current={item.id === linked.id ? "location" : undefined}
            className={classNames(
              "grid scroll-mt-20 grid-cols-1 gap-3",
              (item.id === linked.id || isNew(item)) && "wash -mx-3 rounded-card p-3",
            )}
          >
            <QuestionItem item={item} isNew={isNew(item)} mayAnswer={list.may_answer} />
            {item.is_own || list.may_remove ? (
              <Button
                variant="quiet"
                size="sm"
                className="-ml-3 justify-self-start"
                onClick={() => setAsking(item)}
              >
                {questionStrings.delete}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={asking !== null && !isOthers}
        onOpenChange={(open) => (open ? undefined : setAsking(null))}
        title={questionStrings.deleteTitle}
        description={questionStrings.deleteText}
        confirmLabel={questionStrings.delete}
        cancelLabel={questionStrings.deleteCancel}
        danger
        busy={busy}
        onConfirm={() => void deleteAsked(null)}
      />
      {isOthers ? (
        <Suspense>
          <RemovalDialog
            title={questionStrings.deleteTitle}
            description={questionStrings.removeText}
            confirmLabel={questionStrings.delete}
            cancelLabel={questionStrings.deleteCancel}
            busy={busy}
            onConfirm={(explanation) => void deleteAsked(explanation)}
            onClose={() => setAsking(null)}
          />
        </Suspense>
      ) : null}
    </>
  );
}

/** The id of a question's element, as the fragment of an address that leads to it names it. */
const elementId = (questionId: string) => questionFragment(questionId).slice(1);

function QuestionItem({
  item,
  isNew,
  mayAnswer,
}: {
  readonly item: TextQuestion;
  /** Its answer came while the text was open. */
  readonly isNew: boolean;
  readonly mayAnswer: boolean;
}) {
  const now = useNow();
  const act = useQuestionAction();
  return (
    <>
      <p className="text-sm text-muted">
        <bdi className="font-medium text-ink">{writerName(item.asker)}</bdi>{" "}
        {timeAgo(Date.parse(item.created_at), now)}
      </p>
      <p dir="auto" className="break-words whitespace-pre-wrap">
        {item.question}
      </p>
      {item.answer === null ? null : (
        <div className="grid gap-1 border-l-2 border-line pl-4">
          <p className="text-sm text-muted">
            {questionStrings.answeredBy}
            <bdi className="font-medium text-ink">{writerName(item.answerer)}</bdi>{" "}
            {isNew ? <Badge colour="info">{questionStrings.newAnswer}</Badge> : null}{" "}
            {item.is_helpful ? (
              <Badge colour="good" icon={<Check aria-hidden className="size-3" />}>
                {questionStrings.helpful}
              </Badge>
            ) : null}
          </p>
          <p dir="auto" className="break-words whitespace-pre-wrap">
            {item.answer}
          </p>
          {item.may_mark ? <HelpfulButton item={item} /> : null}
        </div>
      )}
      {mayAnswer ? (
        <WordsForm
          key={item.answer}
          label={item.answer === null ? questionStrings.answer : questionStrings.changeAnswer}
          button={item.answer === null ? questionStrings.sendAnswer : questionStrings.saveAnswer}
          maxLength={maxAnswerLength}
          initial={item.answer ?? ""}
          onSend={(words) => act((client) => answerQuestion(client, item.id, words))}
        />
      ) : null}
    </>
  );
}

/** Who asked says that the answer helped, and takes it back by the same button. */
function HelpfulButton({ item }: { readonly item: TextQuestion }) {
  const act = useQuestionAction();
  const [busy, setBusy] = useState(false);

  async function mark(): Promise<void> {
    if (busy) return;
    setBusy(true);
    try {
      await act((client) => markAnswerHelpful(client, item.id, item.is_helpful !== true));
    } catch (error) {
      console.error("The mark was not saved", error);
      toast.danger(questionStrings.markFailed(explainQuestionError(error)));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button
      variant="secondary"
      size="sm"
      aria-pressed={item.is_helpful === true}
      // Not disabled meanwhile: the button keeps the focus to be pressed again.
      aria-busy={busy || undefined}
      className="mt-2 gap-1.5 justify-self-start aria-pressed:border-ink aria-pressed:bg-sunken"
      onClick={() => void mark()}
    >
      {item.is_helpful === true ? <Check aria-hidden className="size-4" /> : null}
      {questionStrings.markHelpful}
    </Button>
  );
}
