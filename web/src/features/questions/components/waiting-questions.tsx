import { Link } from "react-router";
import { timeAgo } from "@/lib/format-time.ts";
import { useNow } from "@/lib/use-now.ts";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { answerQuestion } from "../api/questions.ts";
import { maxAnswerLength, questionPath } from "../model/question.ts";
import { useQuestionAction } from "../mutations.ts";
import { useWaitingQuestions } from "../queries.ts";
import { writerName, questionStrings } from "../strings.ts";
import { WordsForm } from "./words-form.tsx";

/** The questions that wait for the mentor, oldest first; nothing while there are none. */
export function WaitingQuestions() {
  const { data, isError, isFetching, refetch } = useWaitingQuestions();
  const act = useQuestionAction();
  const now = useNow();
  if (isError && data === undefined) {
    return (
      <LoadFailed title={questionStrings.failed} busy={isFetching} onRetry={() => void refetch()} />
    );
  }
  if (data === undefined || data.length === 0) return null;
  return (
    <section aria-labelledby="waiting-questions" className="grid grid-cols-1 gap-3">
      <h2 id="waiting-questions" className="display text-xl">
        {questionStrings.waitingTitle} <span className="tabular text-muted">· {data.length}</span>
      </h2>
      <ul className="divide-y divide-line rounded-card border border-line bg-raised">
        {data.map((item) => (
          <li key={item.id} className="grid grid-cols-1 gap-3 p-4">
            <p className="text-sm text-muted">
              <bdi className="font-medium text-ink">{writerName(item.asker)}</bdi>{" "}
              {questionStrings.askedUnder(timeAgo(Date.parse(item.created_at), now))}
              <Link to={questionPath(item)} className="text-ink underline">
                {item.place.title}
              </Link>
            </p>
            <p dir="auto" className="break-words whitespace-pre-wrap">
              {item.question}
            </p>
            <WordsForm
              label={questionStrings.answer}
              button={questionStrings.sendAnswer}
              maxLength={maxAnswerLength}
              onSend={(words) => act((client) => answerQuestion(client, item.id, words))}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
