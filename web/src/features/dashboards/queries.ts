import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import type { ProgressCounters } from "@/domain/level-progress.ts";
import { useProgress } from "@/features/levels/index.ts";
import { bellKey } from "@/features/notifications/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { retryAdminQuery } from "@/lib/second-factor-due.ts";
import { refetchQueries } from "@/lib/query-cache.ts";
import { fetchFigures } from "./api/fetch-figures.ts";
import { fetchMentorHome } from "./api/fetch-mentor-home.ts";
import { fetchOverview } from "./api/fetch-overview.ts";
import { fetchOwnerMonth } from "./api/fetch-owner-month.ts";
import { fetchSaidHello } from "./api/fetch-said-hello.ts";
import { fetchToday } from "./api/fetch-today.ts";

/** Of what is asked again with each visit: not within the moment in which a visit begins, see `HomeQuestions`. */
const visitMs = 2000;

const todayKey = (userId: string) => [...bellKey(userId), "today"];

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
 * What stands first on the signed-in member's dashboard, asked again with each visit. Its key is below that of the bell, so
 * that it is also read again when a notification comes or was read.
 */
export function useToday() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: todayKey(userId),
    queryFn: () => fetchToday(client),
    enabled: userId !== "",
    staleTime: visitMs,
    retry: 2,
  });
}

/** Reads Today again when the progress moves. Use it once, on the dashboard. */
export function useRefreshToday(): void {
  const queries = useQueryClient();
  const userId = useUserId();
  const { counters, status } = useProgress();
  const known = useRef<ProgressCounters | null>(null);
  useEffect(() => {
    if (status !== "ready" || known.current === counters) return;
    if (known.current !== null) refetchQueries(queries, todayKey(userId));
    known.current = counters;
  }, [counters, status, queries, userId]);
}

const saidHelloKey = (userId: string) => ["said-hello", userId];

/** Whether the member has written in the first room. */
export function useSaidHello(isAsked: boolean) {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: saidHelloKey(userId),
    queryFn: () => fetchSaidHello(client, userId),
    enabled: userId !== "" && isAsked,
    staleTime: visitMs,
    retry: 2,
  });
}

/** Returns a function that notes a greeting just sent, without asking for it. */
export function useNoteHello(): () => void {
  const queries = useQueryClient();
  const userId = useUserId();
  return useCallback(() => {
    queries.setQueryData(saidHelloKey(userId), true);
    refetchQueries(queries, bellKey(userId));
  }, [queries, userId]);
}

/** What a mentor's Home begins with; nothing is asked for others. */
export function useMentorHome(isMentor: boolean) {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: ["mentor-home", userId],
    queryFn: () => fetchMentorHome(client, userId),
    enabled: isMentor && userId !== "",
    staleTime: 0,
    retry: 2,
  });
}

/** The money of the month and the newest accounts. Administrators only. */
export function useOwnerMonth() {
  const { client } = useBackend();
  return useQuery({
    queryKey: ["admin", "owner-month"],
    queryFn: () => fetchOwnerMonth(client),
    retry: retryAdminQuery,
  });
}

/** What the overview of the console shows. Administrators only. */
export function useOverview() {
  const { client } = useBackend();
  return useQuery({
    queryKey: ["admin", "overview"],
    queryFn: () => fetchOverview(client),
    retry: 2,
  });
}
