import { useQuery } from "@tanstack/react-query";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { toAppError } from "@/lib/errors.ts";
import { selectFlaggedAccounts } from "./api/flagged-accounts.ts";
import { loadDocument } from "./api/load-document.ts";
import { selectQueue, type PendingReview } from "./api/select-queue.ts";
import { selectVerification } from "./api/select-verification.ts";

export const reviewQueueKey = ["verification-queue"];
export const flaggedAccountsKey = ["flagged-verifications"];

export function verificationKey(userId: string): readonly string[] {
  return ["verification", userId];
}

/** The signed-in member's verification. */
export function useVerification() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: verificationKey(userId),
    queryFn: () => selectVerification(client, userId),
    enabled: userId !== "",
    retry: 2,
  });
}

/** FF005: an administrator has to show a second factor before documents open. */
export function needsSecondFactor(error: unknown): boolean {
  return toAppError(error).code === "FF005";
}

/** The documents that wait for a decision, read again every minute. */
export function useReviewQueue() {
  const { client } = useBackend();
  return useQuery({
    queryKey: reviewQueueKey,
    queryFn: () => selectQueue(client),
    refetchInterval: 60_000,
    retry: (count, failure) => count < 2 && !needsSecondFactor(failure),
  });
}

/** The accounts with five rejected documents, read again every minute. */
export function useFlaggedAccounts() {
  const { client } = useBackend();
  return useQuery({
    queryKey: flaggedAccountsKey,
    queryFn: () => selectFlaggedAccounts(client),
    refetchInterval: 60_000,
    retry: (count, failure) => count < 2 && !needsSecondFactor(failure),
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
