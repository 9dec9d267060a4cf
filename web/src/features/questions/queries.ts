import { useQuery } from "@tanstack/react-query";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { fetchQuestions, fetchWaitingQuestions } from "./api/questions.ts";
import type { QuestionedText } from "./model/question.ts";

export const questionKeys = { all: (userId: string) => ["questions", userId] } as const;

/** The questions under an article or lesson, and what the member may do there. */
export function useQuestions(text: QuestionedText) {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: [...questionKeys.all(userId), text.articleId ?? text.moduleId],
    queryFn: () => fetchQuestions(client, text),
    enabled: userId !== "",
  });
}

/** The questions that wait for an answer of the mentor, oldest first. */
export function useWaitingQuestions() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: [...questionKeys.all(userId), "waiting"],
    queryFn: () => fetchWaitingQuestions(client),
    enabled: userId !== "",
  });
}
