import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useProgress } from "@/features/levels/index.ts";
import { bellKey } from "@/features/notifications/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { retryAdminQuery } from "@/lib/second-factor-due.ts";
import { fetchOpenDisputes } from "./api/fetch-open-disputes.ts";
import { fetchFigures } from "./api/fetch-figures.ts";
import { fetchOverview, fetchQueueCounts } from "./api/fetch-overview.ts";
import { fetchToday } from "./api/fetch-today.ts";

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

/**
 * What stands first on the signed-in member's dashboard, asked again with each visit and when the progress moves. Its key
 * is below that of the bell, so that it is also read again when a notification comes or was read.
 */
export function useToday() {
  const { client } = useBackend();
  const userId = useUserId();
  const { counters, status } = useProgress();
  return useQuery({
    queryKey: [...bellKey(userId), "today", counters],
    queryFn: () => fetchToday(client),
    enabled: userId !== "" && status !== "loading",
    placeholderData: keepPreviousData,
    staleTime: 0,
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
