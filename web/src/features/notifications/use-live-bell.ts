import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import * as z from "zod/mini";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { systemClock } from "@/lib/clock.ts";
import { refetchQueries } from "@/lib/query-cache.ts";
import { watchBroadcasts } from "@/lib/watch-broadcasts.ts";
import { watchRows } from "@/lib/watch-rows.ts";
import { hasBellChanged } from "./api/has-bell-changed.ts";
import { bellKey, useBell } from "./queries.ts";

/** Changes within this time are read together: marking all as read changes many rows at once. */
const gatherMs = 100;

/** What is told to everyone says within which time the bells of all open pages are to be read again. */
const announcedSchema = z.object({ spread_ms: z.number().check(z.minimum(0), z.maximum(300_000)) });

/** Keeps the bell true in every tab and on every device. Use it once, in the bell. */
export function useLiveBell(): void {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  const [joinedBy, setJoinedBy] = useState("");
  useEffect(() => {
    if (userId === "") return undefined;
    const refetch = () => refetchQueries(queries, bellKey(userId));
    let cancel = () => {};
    let hasJoined = false;
    const stop = watchRows(client, {
      table: "notifications",
      filter: `user_id=eq.${userId}`,
      events: ["INSERT", "UPDATE"],
      onJoined: () => {
        if (hasJoined) refetch();
        else setJoinedBy(userId);
        hasJoined = true;
      },
      onChange: () => {
        cancel();
        cancel = systemClock.after(gatherMs, refetch);
      },
    });
    let cancelAnnounced = () => {};
    const stopAnnounced = watchBroadcasts(client, "rooms", (event, payload) => {
      const announced = announcedSchema.safeParse(payload);
      if (event !== "announced" || !announced.success) return;
      cancelAnnounced();
      cancelAnnounced = systemClock.after(Math.random() * announced.data.spread_ms, refetch);
    });
    return () => {
      cancelAnnounced();
      stopAnnounced();
      cancel();
      stop();
    };
  }, [client, queries, userId]);
  useMissedBeforeJoining(joinedBy);
}

/**
 * What happened between the first reading and the first subscription is not delivered. So that each page load does not
 * read bell and Today twice, the row of the newest change is asked for, and they are read again only if there is one.
 */
function useMissedBeforeJoining(joinedBy: string): void {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  const asOf = useBell().data?.pages[0]?.as_of;
  const checkedFor = useRef("");
  const isDue = joinedBy !== "" && joinedBy === userId && asOf !== undefined;
  useEffect(() => {
    if (!isDue || checkedFor.current === userId) return;
    checkedFor.current = userId;
    hasBellChanged(client, userId, asOf).then(
      (changed) => {
        if (changed) refetchQueries(queries, bellKey(userId));
      },
      (error: unknown) => {
        console.error("Changes of the notifications were not asked for", error);
        refetchQueries(queries, bellKey(userId));
      },
    );
  }, [client, queries, userId, isDue, asOf]);
}
