import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { refetchQueries } from "@/lib/query-cache.ts";
import { watchRows } from "@/lib/watch-rows.ts";
import { watchResets } from "./api/watch-resets.ts";
import { verificationKey } from "./queries.ts";

/** Keeps the member's verification true while the page is open, so that a decision shows as soon as it is made. */
export function useLiveVerification(): void {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  useEffect(() => {
    if (userId === "") return undefined;
    const refetch = () => refetchQueries(queries, verificationKey(userId));
    const stopRows = watchRows(client, {
      table: "user_verifications",
      filter: `user_id=eq.${userId}`,
      events: ["INSERT", "UPDATE"],
      onJoined: refetch,
      onChange: refetch,
    });
    const stopResets = watchResets(client, userId, refetch);
    return () => {
      stopRows();
      stopResets();
    };
  }, [client, queries, userId]);
}
