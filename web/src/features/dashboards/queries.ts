import { useQuery } from "@tanstack/react-query";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { retryAdminQuery } from "@/lib/second-factor-due.ts";
import { fetchOpenDisputes } from "./api/fetch-open-disputes.ts";
import { fetchFigures } from "./api/fetch-figures.ts";
import { fetchOverview, fetchQueueCounts } from "./api/fetch-overview.ts";

/** The signed-in member's figures. */
export function useFigures() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: ["dashboard-figures", userId],
    queryFn: () => fetchFigures(client),
    enabled: userId !== "",
    retry: 2,
  });
}

const queueIntervalMs = 60_000;

/** What the overview of the console shows. Administrators only. */
export function useOverview() {
  const { client } = useBackend();
  return useQuery({
    queryKey: ["admin", "overview"],
    queryFn: () => fetchOverview(client),
    retry: 2,
  });
}

/** How many items wait in each queue, read again every minute. Administrators only. */
export function useQueueCounts() {
  const { client } = useBackend();
  return useQuery({
    queryKey: ["admin", "queues"],
    queryFn: () => fetchQueueCounts(client),
    refetchInterval: queueIntervalMs,
    retry: retryAdminQuery,
  });
}

/** The open disputes, read again every minute. Administrators only. */
export function useOpenDisputes() {
  const { client } = useBackend();
  return useQuery({
    queryKey: ["admin", "disputes"],
    queryFn: () => fetchOpenDisputes(client),
    refetchInterval: queueIntervalMs,
    retry: 2,
  });
}
