import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { selectLevel, type MemberLevel } from "./api/select-level.ts";

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
    queryFn: () => selectLevel(client, userId),
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
