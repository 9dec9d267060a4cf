import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { overallCompletion } from "@/domain/level-progress.ts";
import { useSession, useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { selectCompletions } from "./api/select-completions.ts";
import { selectEvidence } from "./api/select-evidence.ts";
import { selectHistory } from "./api/select-history.ts";
import { selectRank } from "./api/select-rank.ts";
import { formatEvidenceFilter, evidencePageSize, type EvidenceFilter } from "./model/evidence.ts";
import type { HistoryRange } from "./model/history.ts";
import { useLevel } from "./use-level.ts";
import { useProgress } from "./use-progress.ts";

const patience = { retry: 2, placeholderData: keepPreviousData } as const;

/** Where the member stands among all; asked again when the own engagements move. */
export function useRank() {
  const { client } = useBackend();
  const { user } = useSession();
  const { counters, status } = useProgress();
  return useQuery({
    queryKey: ["engagement-rank", user?.id, counters.messageEngagements],
    queryFn: () => selectRank(client),
    enabled: user !== null && status === "ready",
    ...patience,
  });
}

/** What was done when; asked again when anything that counts was done. */
export function useHistory(range: HistoryRange) {
  const { client } = useBackend();
  const { user } = useSession();
  const { counters, status } = useProgress();
  return useQuery({
    queryKey: ["progress-history", user?.id, range, overallCompletion(counters).done],
    queryFn: () => selectHistory(client, range),
    enabled: user !== null && status === "ready",
    ...patience,
  });
}

/** When which level was completed; asked again when the level moves. */
export function useCompletions() {
  const { client } = useBackend();
  const { current } = useLevel();
  const userId = useUserId();
  return useQuery({
    queryKey: ["level-completions", userId, current],
    queryFn: () => selectCompletions(client, userId),
    enabled: userId !== "",
    ...patience,
  });
}

/** The progress events behind one counter, page by page. */
export function useEvidence(of: EvidenceFilter) {
  const { client } = useBackend();
  const { user } = useSession();
  return useInfiniteQuery({
    queryKey: ["progress-evidence", user?.id, formatEvidenceFilter(of)],
    queryFn: ({ pageParam }) => selectEvidence(client, of, pageParam),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.length < evidencePageSize ? null : (page.at(-1)?.id ?? null)),
    enabled: user !== null,
    staleTime: 0,
    retry: 2,
  });
}
