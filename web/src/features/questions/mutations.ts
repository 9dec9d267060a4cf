import { useQueryClient } from "@tanstack/react-query";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import type { BackendClient } from "@/lib/backend-client.ts";
import { questionKeys } from "./queries.ts";

/** Runs one action on questions and reads them again, also after a failure. Rejects on failure. */
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
      await queries.invalidateQueries({ queryKey: questionKeys.all(userId) });
    }
  };
}
