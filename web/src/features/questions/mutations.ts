import { useQueryClient } from "@tanstack/react-query";
import { bellKey } from "@/features/notifications/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import type { BackendClient } from "@/lib/backend-client.ts";
import { refetchQueries } from "@/lib/query-cache.ts";
import { questionKeys } from "./queries.ts";

/**
 * Runs one action on questions and reads them again, also after a failure, and the bell, which counts the questions that
 * wait for an answer. Rejects on failure.
 */
export function useQuestionAction(): (
  act: (client: BackendClient) => Promise<void>,
) => Promise<void> {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  return async (act) => {
    try {
      await act(client);
    } finally {
      refetchQueries(queries, bellKey(userId));
      await queries.invalidateQueries({ queryKey: questionKeys.all(userId) });
    }
  };
}
