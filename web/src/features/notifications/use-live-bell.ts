import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { systemClock } from "@/lib/clock.ts";
import { refetchQueries } from "@/lib/query-cache.ts";
import { watchRows } from "@/lib/watch-rows.ts";
import { bellKey } from "./queries.ts";

/** Changes within this time are read together: marking all as read changes many rows at once. */
const gatherMs = 100;

/** Keeps the bell true in every tab and on every device. Use it once, in the bell. */
export function useLiveBell(): void {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  useEffect(() => {
    if (userId === "") return undefined;
    const refetch = () => refetchQueries(queries, bellKey(userId));
    let cancel = () => {};
    const stop = watchRows(client, {
      table: "notifications",
      filter: `user_id=eq.${userId}`,
      events: ["INSERT", "UPDATE"],
      onJoined: refetch,
      onChange: () => {
        cancel();
        cancel = systemClock.after(gatherMs, refetch);
      },
    });
    return () => {
      cancel();
      stop();
    };
  }, [client, queries, userId]);
}
