import {
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useCallback } from "react";
import {
  noProgress,
  type LevelRequirements,
  type ProgressCounters,
} from "@/domain/level-progress.ts";
import { maximumLevel, type LevelNumber } from "@/domain/levels.ts";
import { useSession, useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { fetchLevelRequirements } from "./api/fetch-level-requirements.ts";
import { fetchLevelCompletions } from "./api/fetch-level-completions.ts";
import { fetchEffectiveLevel } from "./api/fetch-effective-level.ts";
import { fetchProgressEvents } from "./api/fetch-progress-events.ts";
import { fetchGoals } from "./api/fetch-goals.ts";
import { fetchHistory } from "./api/fetch-history.ts";
import { fetchLevel, type MemberLevel } from "./api/fetch-level.ts";
import { fetchNextRoom } from "./api/fetch-next-room.ts";
import { fetchProgress } from "./api/fetch-progress.ts";
import { fetchRank } from "./api/fetch-rank.ts";
import {
  progressEventPageSize,
  formatProgressEventFilter,
  type ProgressEventFilter,
} from "./model/progress-event.ts";
import type { HistoryRange } from "./model/history.ts";
import { nextRequirement, nextStep, type NextStep } from "./components/next-step.ts";
import { newerOf, type MemberProgress } from "./model/progress-row.ts";

export interface LevelView {
  readonly status: "loading" | "ready" | "failed";
  /** 0 while it is not known and before onboarding is finished. */
  readonly current: number;
  readonly unlocked: readonly number[];
  /** Reads it again; resolves when the new value is there. */
  readonly refresh: () => Promise<void>;
}

const none: MemberLevel = { current: 0, unlocked: [] };

export function levelKey(userId: string): readonly string[] {
  return ["user-level", userId];
}

/** The signed-in member's level. */
export function useLevel(): LevelView {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  const query = useQuery({
    queryKey: levelKey(userId),
    queryFn: () => fetchLevel(client, userId),
    enabled: userId !== "",
    retry: 2,
  });
  const refresh = useCallback(
    () => queries.invalidateQueries({ queryKey: levelKey(userId) }),
    [queries, userId],
  );
  const level = query.data ?? none;
  const status = query.data ? "ready" : query.isError ? "failed" : "loading";
  return { status, current: level.current, unlocked: level.unlocked, refresh };
}

/** What each level asks for. `data` is missing while it is loading. */
export function useLevelRequirements() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: ["level-requirements", userId],
    queryFn: () => fetchLevelRequirements(client),
    enabled: userId !== "",
    retry: 2,
  });
}

/**
 * The level the member may use now: 0 without a live membership or before onboarding is finished, the highest for
 * administrators. Read again with the level.
 */
export function useEffectiveLevel(): Pick<LevelView, "status" | "current" | "refresh"> {
  const { client } = useBackend();
  const { role } = useSession();
  const userId = useUserId();
  const query = useQuery({
    queryKey: [...levelKey(userId), "effective"],
    queryFn: () => fetchEffectiveLevel(client),
    enabled: userId !== "" && role !== "admin",
    retry: 2,
    staleTime: 0,
  });
  // A level of 0 may be over since it was stored: the member has just paid or finished onboarding.
  const isOutdated = query.data === 0 && !query.isFetchedAfterMount && query.isFetching;
  const refresh = async () => void (await query.refetch());
  if (role === "admin") return { status: "ready", current: maximumLevel, refresh };
  if (query.data !== undefined && !isOutdated) {
    return { status: "ready", current: query.data, refresh };
  }
  const failed = query.isError && !query.isFetching;
  return { status: failed ? "failed" : "loading", current: 0, refresh };
}

export interface ProgressView {
  /** `failed` only while nothing is known. */
  readonly status: "loading" | "ready" | "failed";
  readonly counters: ProgressCounters;
  /** Empty lists until the status is `ready`. */
  readonly requirements: LevelRequirements;
  readonly isFetching: boolean;
  /** Reads it again; resolves when the new value is there. */
  readonly refresh: () => Promise<void>;
}

const noRequirements: LevelRequirements = { 1: [], 2: [], 3: [], 4: [] };

export function progressKey(userId: string): readonly string[] {
  return ["user-progress", userId];
}

/**
 * What the signed-in member has done towards the levels, and what the levels ask for. Within the shell the
 * counters are also updated live, by `useLiveProgress`.
 */
export function useProgress(): ProgressView {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  const progress = useQuery({
    queryKey: progressKey(userId),
    queryFn: async () =>
      newerOf(
        await fetchProgress(client, userId),
        queries.getQueryData<MemberProgress>(progressKey(userId)),
      ),
    enabled: userId !== "",
    retry: 2,
  });
  const requirements = useLevelRequirements();
  const { refetch: refetchRequirements, isError: requirementsFailed } = requirements;
  const refresh = useCallback(async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: progressKey(userId) }),
      requirementsFailed ? refetchRequirements() : undefined,
    ]);
  }, [queries, userId, requirementsFailed, refetchRequirements]);
  const known = progress.data !== undefined && requirements.data !== undefined;
  const failed =
    (!progress.data && progress.isError) || (!requirements.data && requirements.isError);
  return {
    status: known ? "ready" : failed ? "failed" : "loading",
    counters: progress.data?.counters ?? noProgress,
    requirements: requirements.data ?? noRequirements,
    isFetching: progress.isFetching || requirements.isFetching,
    refresh,
  };
}

/** The first unfinished requirement of a level as something to do; null when none is left. */
export function useNextStep(
  level: LevelNumber | undefined,
  requirements: LevelRequirements,
  counters: ProgressCounters,
): NextStep | null {
  const { client } = useBackend();
  const userId = useUserId();
  const required = level === undefined ? [] : requirements[level];
  const room = useQuery({
    queryKey: ["next-room", userId, counters.chatRoomsOpened],
    queryFn: () => fetchNextRoom(client),
    enabled: userId !== "" && nextRequirement(required, counters)?.kind === "rooms",
    staleTime: 0,
    retry: 2,
  });
  return level === undefined ? null : nextStep(level, required, counters, room.data ?? null);
}

const keepWhileLoading = { retry: 2, placeholderData: keepPreviousData } as const;

/** Where the member stands among all; asked again when the own engagements move. */
export function useRank() {
  const { client } = useBackend();
  const userId = useUserId();
  const { counters, status } = useProgress();
  return useQuery({
    queryKey: ["engagement-rank", userId, counters.messageEngagements],
    queryFn: () => fetchRank(client),
    enabled: userId !== "" && status === "ready",
    ...keepWhileLoading,
  });
}

/** What was done when; asked again when anything that counts was done. */
export function useHistory(range: HistoryRange) {
  const { client } = useBackend();
  const userId = useUserId();
  const { counters, status } = useProgress();
  return useQuery({
    queryKey: ["progress-history", userId, range, counters],
    queryFn: () => fetchHistory(client, range),
    enabled: userId !== "" && status === "ready",
    ...keepWhileLoading,
  });
}

/** When which level was completed; asked again when the level moves. */
export function useCompletions() {
  const { client } = useBackend();
  const { current } = useLevel();
  const userId = useUserId();
  return useQuery({
    queryKey: ["level-completions", userId, current],
    queryFn: () => fetchLevelCompletions(client, userId),
    enabled: userId !== "",
    ...keepWhileLoading,
  });
}

/** The progress events behind one counter, page by page. */
export function useProgressEvents(of: ProgressEventFilter) {
  const { client } = useBackend();
  const userId = useUserId();
  return useInfiniteQuery({
    queryKey: ["progress-evidence", userId, formatProgressEventFilter(of)],
    queryFn: ({ pageParam }) => fetchProgressEvents(client, of, pageParam),
    initialPageParam: null as number | null,
    getNextPageParam: (page) =>
      page.length < progressEventPageSize ? null : (page.at(-1)?.id ?? null),
    enabled: userId !== "",
    staleTime: 0,
    retry: 2,
  });
}

/** What the member wants to reach. The page does without it when it can't be read. */
export function useGoals() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: ["goals", userId],
    queryFn: () => fetchGoals(client, userId),
    enabled: userId !== "",
    staleTime: 0,
  });
}
