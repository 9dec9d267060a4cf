import { useQuery } from "@tanstack/react-query";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { fetchPauseOffer } from "./api/pause.ts";
import type { Subscription } from "./model/subscription.ts";

/** What the member may do about a pause; asked again whenever the subscription has changed, and not without one. */
export function usePauseOffer(subscription: Subscription | null) {
  const { id, status, hold, cancelAtPeriodEnd, pendingPriceId } = subscription ?? {};
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: ["pause-offer", userId, id, status, cancelAtPeriodEnd, pendingPriceId],
    queryFn: () => fetchPauseOffer(client),
    enabled: userId !== "" && (status === "active" || hold === "paused"),
    retry: 2,
  });
}
