import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useBackend } from "@/lib/backend.tsx";
import { downloadMessagePicture } from "@/lib/message-picture.ts";
import { fetchOpenDisputes } from "./api/fetch-open-disputes.ts";
import { fetchReports, resolveReport } from "./api/reports.ts";
import type { ReportDecision, ReportKind } from "./model/report-kinds.ts";
import { queueCountsKey } from "./use-queue-counts.ts";

const queueIntervalMs = 60_000;
/** How long a picture stays in memory once it is off the screen. */
const pictureCacheMs = 300_000;

/** What waits for a decision, of one kind or of all. Administrators only. */
export function useReports(kind: ReportKind | null) {
  const { client } = useBackend();
  return useQuery({
    queryKey: ["reports", kind],
    queryFn: () => fetchReports(client, kind),
    refetchInterval: queueIntervalMs,
    retry: 2,
  });
}

/** Returns a function that reads again what waits, and how many of each kind. */
export function useRefreshReports(): () => void {
  const queries = useQueryClient();
  return () => {
    void queries.invalidateQueries({ queryKey: ["reports"] });
    void queries.invalidateQueries({ queryKey: queueCountsKey });
  };
}

/** A reported picture, which administrators may read until the decision. */
export function useReportedPicture(name: string) {
  const { client } = useBackend();
  return useQuery({
    queryKey: ["reported-picture", name],
    queryFn: ({ signal }) => downloadMessagePicture(client, name, signal),
    staleTime: Infinity,
    gcTime: pictureCacheMs,
    retry: 1,
  });
}

/**
 * Returns a function that decides about a report. It rejects when the decision was not saved. Everything is read again in
 * any case: what was taken away may stand anywhere.
 */
export function useResolveReport(): (
  reportId: number,
  decision: ReportDecision,
  explanation: string,
) => Promise<void> {
  const { client } = useBackend();
  const queries = useQueryClient();
  return async (reportId, decision, explanation) => {
    try {
      await resolveReport(client, reportId, decision, explanation);
    } finally {
      void queries.invalidateQueries();
    }
  };
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
