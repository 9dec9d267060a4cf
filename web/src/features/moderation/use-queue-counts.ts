import { useQuery } from "@tanstack/react-query";
import { useBackend } from "@/lib/backend.tsx";
import { retryAdminQuery } from "@/lib/second-factor-due.ts";

export const queueCountsKey = ["admin", "queues"] as const;

/** How many items wait in each queue, read again every minute. Administrators only; nothing is asked for others. */
export function useQueueCounts(isAsked = true) {
  const { client } = useBackend();
  return useQuery({
    queryKey: queueCountsKey,
    // The frame of all pages asks as well: what reads the answer comes with the console alone.
    queryFn: async () => (await import("./api/fetch-queue-counts.ts")).fetchQueueCounts(client),
    enabled: isAsked,
    refetchInterval: 60_000,
    retry: retryAdminQuery,
  });
}
