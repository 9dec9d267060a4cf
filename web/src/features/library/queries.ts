import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { Category } from "@/domain/categories.ts";
import type { Shelf } from "@/domain/library-paths.ts";
import { useLevel, useProgress } from "@/features/levels/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { fetchShelfHome } from "./api/fetch-shelf-home.ts";
import { fetchShelfPage, type ShelfAddress } from "./api/fetch-shelf-page.ts";
import { nextItemOf } from "./model/next-item.ts";

/** The query key of an answer of the library; without parts, the key of all of them. */
export function libraryKey(userId: string, ...parts: readonly string[]): readonly string[] {
  return ["library", userId, ...parts];
}

/** The subcategories of a category with the member's progress. */
export function useShelfHome(category: Category, shelf: Shelf) {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: libraryKey(userId, "home", category, shelf),
    queryFn: () => fetchShelfHome(client, category, shelf),
    enabled: userId !== "",
    retry: 2,
  });
}

/** The page of a subcategory. `parse` reads the answer and throws on an unexpected shape. */
export function useShelfPage<T>(address: ShelfAddress, parse: (answer: unknown) => T) {
  const { client } = useBackend();
  const userId = useUserId();
  const { category, shelf, slug } = address;
  return useQuery({
    queryKey: libraryKey(userId, "shelf", category, shelf, slug),
    queryFn: async () => parse(await fetchShelfPage(client, address)),
    enabled: userId !== "" && slug !== "",
    retry: 2,
  });
}

/** What to open next in a subcategory; nothing is asked without one. */
export function useNextItem(category: Category, shelf: Shelf, slug: string | null) {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: libraryKey(userId, "next", category, shelf, slug ?? ""),
    queryFn: async () =>
      nextItemOf(await fetchShelfPage(client, { category, shelf, slug: slug ?? "" })),
    enabled: userId !== "" && slug !== null,
    retry: 2,
  });
}

/**
 * Returns a function to call after the member has read or completed something. It invalidates the
 * library, the level and the progress, and resolves when those on the screen are up to date.
 */
export function useInvalidateLibrary(): () => Promise<void> {
  const queries = useQueryClient();
  const { refresh: refreshLevel } = useLevel();
  const { refresh: refreshProgress } = useProgress();
  const userId = useUserId();
  return useCallback(async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: libraryKey(userId) }),
      refreshLevel(),
      refreshProgress(),
    ]);
  }, [queries, userId, refreshLevel, refreshProgress]);
}
