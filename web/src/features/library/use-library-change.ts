import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useLevel, useProgress } from "@/features/levels/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { libraryKey } from "./library-key.ts";

/**
 * To be called when the member has read or completed something: counts and badges of the library
 * and the progress made with it are out of date then. Resolves when those on the screen are new.
 */
export function useLibraryChange(): () => Promise<void> {
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
