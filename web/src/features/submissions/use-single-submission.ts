import { useQuery } from "@tanstack/react-query";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { selectSubmission } from "./api/select-submission.ts";
import { feedKey, type FeedData } from "./use-feed.ts";

/** What is not shaped like an id is no submission, and no reason to ask. */
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * One submission that a link led to, kept in the shape of a feed so that likes and live changes
 * reach it like every other.
 */
export function useSingleSubmission(id: string | null) {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: [...feedKey(userId), "one", id],
    queryFn: async (): Promise<FeedData> => {
      const found = id !== null && uuid.test(id) ? await selectSubmission(client, id) : null;
      const page = { submissions: found === null ? [] : [found], next: null };
      return { pages: [page], pageParams: [null] };
    },
    enabled: userId !== "" && id !== null,
    retry: 2,
  });
}
