import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { refetchQueries } from "@/lib/query-cache.ts";
import { watchRows } from "@/lib/watch-rows.ts";
import type { MemberLevel } from "./api/fetch-level.ts";
import { newerOf, toProgress, type MemberProgress } from "./model/progress-row.ts";
import { levelKey } from "./queries.ts";
import { progressKey } from "./queries.ts";

/** Keeps the member's progress and level true while the page stands. Use it once, in the shell. */
export function useLiveProgress(): void {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  useEffect(() => {
    if (userId === "") return undefined;
    const readBoth = () => {
      refetchQueries(queries, progressKey(userId));
      refetchQueries(queries, levelKey(userId));
    };
    return watchRows(client, {
      table: "user_progress",
      filter: `user_id=eq.${userId}`,
      events: ["UPDATE"],
      onJoined: readBoth,
      onChange: ({ row }) => {
        const progress = toProgress(row);
        if (progress === null) {
          readBoth();
          return;
        }
        queries.setQueryData<MemberProgress>(progressKey(userId), (known) =>
          newerOf(progress, known),
        );
        const known = queries.getQueryData<MemberLevel>(levelKey(userId));
        if (known === undefined || progress.level > known.current) {
          refetchQueries(queries, levelKey(userId));
        }
      },
    });
  }, [client, queries, userId]);
}
