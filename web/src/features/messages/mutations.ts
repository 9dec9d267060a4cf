import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { saveMessageChoice, type MessageChoice } from "./api/message-choice.ts";
import { resolveTextReport, type TextDecision } from "./api/text-reports.ts";
import { messageKeys } from "./queries.ts";

/** Saves who may write to the member. */
export function useSaveMessageChoice() {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  return useMutation({
    mutationFn: (choice: MessageChoice) => saveMessageChoice(client, choice),
    onSuccess: () => queries.invalidateQueries({ queryKey: messageKeys.choice(userId) }),
  });
}

/** Decides about a reported text. Rejects on failure; the queue is read again in any case. */
export function useResolveTextReport(): (
  reportId: number,
  decision: TextDecision,
) => Promise<void> {
  const { client } = useBackend();
  const queries = useQueryClient();
  return async (reportId, decision) => {
    try {
      await resolveTextReport(client, reportId, decision);
    } finally {
      void queries.invalidateQueries({ queryKey: ["admin"] });
      await queries.invalidateQueries({ queryKey: messageKeys.reports });
    }
  };
}
