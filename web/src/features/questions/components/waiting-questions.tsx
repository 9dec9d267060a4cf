import { ChevronDown } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { Link } from "react-router";
import { timeAgo } from "@/lib/format-time.ts";
import { useNow } from "@/lib/use-now.ts";
import { Alert } from "@/ui/alert.tsx";
import { classNames } from "@/ui/class-names.ts";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { TextLink } from "@/ui/text-link.tsx";
import { answerQuestion } from "../api/questions.ts";
import {
  answeredPath,
  maxAnswerLength,
  questionPath,
  type WaitingQuestion as Waiting,
} from "../model/question.ts";
import { useQuestionAction } from "../mutations.ts";
import { useWaitingQuestions } from "../queries.ts";
import { writerName, questionStrings } from "../strings.ts";
import { useLeadToQuestion, useLinkedQuestion } from "../use-linked-question.ts";
import { useLiveQuestions } from "../use-live-questions.ts";
import { WordsForm } from "./words-form.tsx";

/** The questions that wait for the mentor, oldest first, of which one is answered at a time; nothing while there are none. */
export function WaitingQuestions() {
  const { data, isError, isFetching, refetch } = useWaitingQuestions();
  const linked = useLinkedQuestion();
  const [openId, setOpenId] = useState<string | null>(linked.id);
  const [visit, setVisit] = useState(linked.visit);
  /** What was answered last: its row is gone, so a line says where the answer stands. */
  const [answered, setAnswered] = useState<Waiting | null>(null);
  const outcome = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  useLiveQuestions();
  if (visit !== linked.visit) {
    setVisit(linked.visit);
    if (linked.id !== null) setOpenId(linked.id);
  }
  const isThere = data?.some(({ id }) => id === linked.id) === true;
  useLeadToQuestion(linked, isThere, () =>
    list.current?.querySelector<HTMLElement>("[aria-expanded=true] + div textarea"),
  );
  // The row goes with the field that had the focus.
  const isGone = answered !== null && data?.every(({ id }) => id !== answered.id) === true;
  useEffect(() => {
    if (isGone && document.activeElement === document.body) outcome.current?.focus();
  }, [isGone]);
  if (isError && data === undefined) {
    return (
      <LoadFailed title={questionStrings.failed} busy={isFetching} onRetry={() => void refetch()} />
    );
  }
  const done =
    answered === null ? null : (
      <div ref={outcome} tabIndex={-1} className="focus:outline-none">
        <Alert tone="good">
          {questionStrings.answered}
          <TextLink to={answeredPath(answered)}>“{answered.place.title}”</TextLink>.
        </Alert>
      </div>
    );
  if (data === undefined || data.length === 0) return done;
  return (
    <section aria-labelledby="waiting-questions" className="grid grid-cols-1 gap-3">
      <h2 id="waiting-questions" className="display text-xl">
        {questionStrings.waitingTitle} <span className="tabular text-muted">· {data.length}</span>
      </h2>
      {done}
      <ul
        ref={list}
        className="divide-y divide-line overflow-clip rounded-card border border-line bg-raised"
      >
        {data.map((item) => (
          <WaitingQuestion
            key={item.id}
            item={item}
            isOpen={item.id === openId}
            onToggle={() => setOpenId(item.id === openId ? null : item.id)}
            onAnswered={() => setAnswered(item)}
          />
        ))}
      </ul>
    </section>
  );
}

/** A row that opens its answer. What was begun stays in it while another is answered. */
function WaitingQuestion({
  item,
  isOpen,
  onToggle,
  onAnswered,
}: {
  readonly item: Waiting;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly onAnswered: () => void;
}) {
  const act = useQuestionAction();
  const now = useNow();
  const id = useId();
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={onToggle}
        className="flex w-full items-start gap-4 px-4 py-3 text-left hover:bg-hover focus-visible:-outline-offset-2"
      >
        <span className="grid min-w-0 grow gap-1">
          <span
            dir="auto"
            className={classNames(
              "break-words",
              isOpen ? "whitespace-pre-wrap" : "line-clamp-2 font-medium",
            )}
          >
            {item.question}
          </span>
          <span className="text-sm text-muted">
            <bdi>{writerName(item.asker)}</bdi>{" "}
            {questionStrings.askedUnder(timeAgo(Date.parse(item.created_at), now))}
            {item.place.title}
          </span>
        </span>
        <ChevronDown
          aria-hidden
          className={classNames(
            "mt-1 size-4 shrink-0 text-muted transition-transform",
            isOpen && "rotate-180",
          )}
        />
      </button>
      <div id={id} hidden={!isOpen} className="px-4 pb-4">
        <p className="mb-3 flex text-sm">
          <Link to={questionPath(item)} className="py-1 underline">
            {questionStrings.openText(item.place.title)}
          </Link>
        </p>
        <WordsForm
          label={questionStrings.answer}
          button={questionStrings.sendAnswer}
          maxLength={maxAnswerLength}
          onSend={(words) =>
            act(async (client) => {
              await answerQuestion(client, item.id, words);
              onAnswered();
            })
          }
        />
      </div>
    </li>
  );
}
