import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useBackend } from "@/lib/backend.tsx";
import {
  auditPageSize,
  fetchAuditChoices,
  fetchAuditPage,
  type AuditFilters,
} from "./api/audit-log.ts";

const auditLogKey = ["audit-log"];

/** The entries that match, newest first, page by page. */
export function useAuditLog(filters: AuditFilters) {
  const { client } = useBackend();
  return useInfiniteQuery({
    queryKey: [...auditLogKey, filters],
    queryFn: ({ pageParam }) => fetchAuditPage(client, filters, pageParam),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.length < auditPageSize ? null : (page.at(-1)?.id ?? null)),
    placeholderData: keepPreviousData,
    // What was done a moment ago belongs into a log that is looked at now.
    staleTime: 0,
  });
}

/** The actions and actors that occur. */
export function useAuditChoices() {
  const { client } = useBackend();
  return useQuery({
    queryKey: [...auditLogKey, "choices"],
    queryFn: () => fetchAuditChoices(client),
  });
}
