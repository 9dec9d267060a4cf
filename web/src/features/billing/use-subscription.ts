import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useSession, useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { systemClock } from "@/lib/clock.ts";
import { selectSubscription } from "./api/select-subscription.ts";
import {
  automaticRetryCount,
  loadSubscription,
  manualRetryCount,
} from "./model/load-subscription.ts";
import { isActive, type Subscription } from "./model/subscription.ts";

export interface SubscriptionView {
  /** `ready` also when there is no subscription; `failed` when it could not be found out. */
  readonly status: "loading" | "ready" | "failed";
  readonly subscription: Subscription | null;
  readonly active: boolean;
  /** Clears the cached answer and asks with more patience, also when there is none yet. */
  readonly refresh: () => Promise<Subscription | null>;
}

/** The signed-in member's subscription, cached per member. Administrators have none and need none. */
export function useSubscription(): SubscriptionView {
  const { client } = useBackend();
  const { role, profileSettled } = useSession();
  const queries = useQueryClient();
  const userId = useUserId();
  const needed = userId !== "" && profileSettled && role !== "admin";
  const query = useQuery({
    queryKey: ["subscription", userId],
    queryFn: () =>
      loadSubscription(() => selectSubscription(client, userId), systemClock, {
        retries: automaticRetryCount,
        retryWhenMissing: false,
      }),
    enabled: needed,
    staleTime: Infinity,
    gcTime: Infinity,
  });
  const refresh = useCallback(async () => {
    const key = ["subscription", userId];
    await queries.cancelQueries({ queryKey: key });
    queries.removeQueries({ queryKey: key, type: "inactive" });
    const found = await loadSubscription(() => selectSubscription(client, userId), systemClock, {
      retries: manualRetryCount,
      retryWhenMissing: true,
    });
    queries.setQueryData(key, found);
    return found;
  }, [client, queries, userId]);
  const subscription = query.data ?? null;
  const skipped = role === "admin";
  const status =
    skipped || query.data !== undefined ? "ready" : query.isError ? "failed" : "loading";
  return { status, subscription, active: isActive(subscription), refresh };
}
