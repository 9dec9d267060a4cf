import { useQueryClient } from "@tanstack/react-query";
import { useBackend } from "@/lib/backend.tsx";
import type { BackendClient } from "@/lib/backend-client.ts";
import { analyticsKey } from "./queries.ts";

/** Runs one action of a mentor and reads the figures again, also after a failure. Rejects on failure. */
export function useAnalyticsAction(): (
  act: (client: BackendClient) => Promise<void>,
) => Promise<void> {
  const { client } = useBackend();
  const queries = useQueryClient();
  return async (act) => {
    try {
      await act(client);
    } finally {
      await queries.invalidateQueries({ queryKey: analyticsKey });
    }
  };
}
