import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { selectSubscription } from "./api/select-subscription.ts";
import { isActive } from "./model/subscription.ts";

/** How often the subscription is asked for while it is not active yet. Milliseconds. */
export const activationPollMs = 2000;

export interface Activation {
  readonly active: boolean;
  /** The last question got no answer; the next one may. */
  readonly unreachable: boolean;
}

/** Asks every two seconds until the membership is active, and tells the rest of the app. */
export function useActivation(): Activation {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  const { data, isError } = useQuery({
    queryKey: ["subscription-activation", userId],
    queryFn: () => selectSubscription(client, userId),
    enabled: userId !== "",
    refetchInterval: (query) => (isActive(query.state.data ?? null) ? false : activationPollMs),
    refetchIntervalInBackground: true,
    networkMode: "always",
    staleTime: 0,
  });
  useEffect(() => {
    if (data !== undefined) queries.setQueryData(["subscription", userId], data);
  }, [data, queries, userId]);
  return { active: isActive(data ?? null), unreachable: isError };
}
