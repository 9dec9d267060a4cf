import { useQueryClient } from "@tanstack/react-query";
import { useBackend } from "@/lib/backend.tsx";
import { resolveReport, type ReportDecision } from "./api/resolve-report.ts";
import { chatKeys } from "./queries.ts";

/** Returns a function that closes a report. It rejects when the decision was not saved. */
export function useResolveReport(): (reportId: number, decision: ReportDecision) => Promise<void> {
  const { client } = useBackend();
  const queries = useQueryClient();
  return async (reportId, decision) => {
    try {
      await resolveReport(client, reportId, decision);
    } finally {
      void queries.invalidateQueries({ queryKey: chatKeys.reports });
      void queries.invalidateQueries({ queryKey: ["admin"] });
    }
  };
}
