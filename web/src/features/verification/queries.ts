import { useQuery } from "@tanstack/react-query";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { retryAdminQuery } from "@/lib/second-factor-due.ts";
import { fetchFlaggedAccounts } from "./api/flagged-accounts.ts";
import { loadDocument } from "./api/load-document.ts";
import { fetchQueue, type PendingReview } from "./api/fetch-queue.ts";
import { fetchVerification } from "./api/fetch-verification.ts";

export const reviewQueueKey = ["verification-queue"];
export const flaggedAccountsKey = ["flagged-accounts"];

export function verificationKey(userId: string): readonly string[] {
  return ["verification", userId];
}

/** The signed-in member's verification. */
export function useVerification() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: verificationKey(userId),
    queryFn: () => fetchVerification(client, userId),
    enabled: userId !== "",
    retry: 2,
  });
}

/** The documents that wait for a decision, read again every minute. */
export function useReviewQueue() {
  const { client } = useBackend();
  return useQuery({
    queryKey: reviewQueueKey,
    queryFn: () => fetchQueue(client),
    refetchInterval: 60_000,
    retry: retryAdminQuery,
  });
}

/** The flagged accounts, and those kept closed, read again every minute. */
export function useFlaggedAccounts() {
  const { client } = useBackend();
  return useQuery({
    queryKey: flaggedAccountsKey,
    queryFn: () => fetchFlaggedAccounts(client),
    refetchInterval: 60_000,
    retry: retryAdminQuery,
  });
}

/** The file of one review. It is not kept after the panel closes. */
export function useReviewDocument(review: PendingReview) {
  const { client } = useBackend();
  return useQuery({
    queryKey: ["verification-document", review.id, review.version],
    queryFn: () => loadDocument(client, review.id),
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
    enabled: review.state !== "missing",
  });
}
