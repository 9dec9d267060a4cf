import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { isUuid } from "@/lib/uuid.ts";
import {
  fetchDraft,
  fetchDrafts,
  fetchStudioSubcategories,
  fetchSubmittedDrafts,
  fetchVersion,
  fetchVersions,
  versionPageSize,
} from "./api/drafts.ts";

/** Everything below it is the studio's. */
const studioKey = ["studio"] as const;

/** The list of drafts of a member; below `studioKey`. */
export function draftsKey(userId: string) {
  return [...studioKey, userId, "drafts"] as const;
}

/** One's drafts; all of them for administrators. */
export function useDrafts() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: draftsKey(userId),
    queryFn: () => fetchDrafts(client),
    retry: 2,
  });
}

/**
 * A draft with its newest version; null when there is none. What an earlier visit read may have been changed here or in
 * another tab, so each visit reads for itself and nothing is kept after it.
 */
export function useDraft(draftId: string) {
  const { client } = useBackend();
  const userId = useUserId();
  const [visit] = useState(() => crypto.randomUUID());
  return useQuery({
    queryKey: [...studioKey, userId, "draft", draftId, visit],
    queryFn: async () => (isUuid(draftId) ? await fetchDraft(client, draftId) : null),
    gcTime: 0,
    retry: 2,
  });
}

/** What waits for a review, read again every minute. */
export function useSubmittedDrafts() {
  const { client } = useBackend();
  return useQuery({
    queryKey: [...studioKey, "submitted"],
    queryFn: () => fetchSubmittedDrafts(client),
    refetchInterval: 60_000,
    retry: 2,
  });
}

/** The saved versions of a draft, the newest first, page by page. */
export function useVersions(draftId: string, newest: number) {
  const { client } = useBackend();
  return useInfiniteQuery({
    queryKey: [...studioKey, "versions", draftId, newest],
    queryFn: async ({ pageParam }) => await fetchVersions(client, draftId, pageParam),
    initialPageParam: null as number | null,
    getNextPageParam: (page) =>
      page.length < versionPageSize ? null : (page.at(-1)?.version ?? null),
    retry: 2,
  });
}

/** One version. Versions never change. */
export function useVersion(draftId: string, version: number) {
  const { client } = useBackend();
  return useQuery({
    queryKey: [...studioKey, "version", draftId, version],
    queryFn: () => fetchVersion(client, draftId, version),
    staleTime: Infinity,
    retry: 2,
  });
}

/** The subcategories something can be published in. */
export function useStudioSubcategories() {
  const { client } = useBackend();
  return useQuery({
    queryKey: [...studioKey, "subcategories"],
    queryFn: () => fetchStudioSubcategories(client),
    staleTime: 300_000,
    retry: 2,
  });
}

/** The subcategory with this id; undefined without one, and while it isn't known. */
export function usePlace(subcategoryId: string | null) {
  const { data } = useStudioSubcategories();
  return data?.find(({ id }) => id === subcategoryId);
}
