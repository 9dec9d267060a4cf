import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { noProgress, type ProgressCounters } from "@/domain/level-progress.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { selectProgress } from "./api/select-progress.ts";
import { newerOf, type MemberProgress } from "./model/progress-row.ts";

export interface ProgressView {
  /** `failed` only while nothing is known. */
  readonly status: "loading" | "ready" | "failed";
  readonly counters: ProgressCounters;
  readonly isFetching: boolean;
  /** Reads it again; resolves when the new value is there. */
  readonly refresh: () => Promise<void>;
}

export function progressKey(userId: string): readonly string[] {
  return ["user-progress", userId];
}

/**
 * What the signed-in member has done towards the levels. It stays true by itself wherever the
 * shell stands around the page, for there the row is watched live.
 */
export function useProgress(): ProgressView {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  const query = useQuery({
    queryKey: progressKey(userId),
    queryFn: async () =>
      newerOf(
        await selectProgress(client, userId),
        queries.getQueryData<MemberProgress>(progressKey(userId)),
      ),
    enabled: userId !== "",
    retry: 2,
  });
  const refresh = useCallback(
    () => queries.invalidateQueries({ queryKey: progressKey(userId) }),
    [queries, userId],
  );
  return {
    status: query.data ? "ready" : query.isError ? "failed" : "loading",
    counters: query.data?.counters ?? noProgress,
    isFetching: query.isFetching,
    refresh,
  };
}
