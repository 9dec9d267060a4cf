import { useQueryClient } from "@tanstack/react-query";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import {
  decideFlaggedAccount,
  resolveBillingFlag,
  type FlaggedAccount,
  type FlaggedDecision,
} from "./api/flagged-accounts.ts";
import {
  reviewDocument,
  type ReviewDecision,
  type ReviewedDocument,
} from "./api/review-document.ts";
import { uploadDocument } from "./api/upload-document.ts";
import type { DocumentType } from "./model/validate-document.ts";
import { flaggedAccountsKey, reviewQueueKey, verificationKey } from "./queries.ts";

/** Sends a document of the signed-in member. Rejects when it was not stored. */
export function useUploadDocument() {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  return async (type: DocumentType, file: File): Promise<void> => {
    await uploadDocument(client, userId, type, file);
    await queries.invalidateQueries({ queryKey: verificationKey(userId) });
  };
}

/** Decides about a document. Rejects with the database's error. */
export function useReviewDecision() {
  const { client } = useBackend();
  return (verificationId: string, decision: ReviewDecision, seen: ReviewedDocument) =>
    reviewDocument(client, verificationId, decision, seen);
}

/** Decides about a flagged account. Rejects with the database's error. */
export function useFlaggedDecision() {
  const { client } = useBackend();
  return (account: FlaggedAccount, decision: FlaggedDecision, reason: string) =>
    decision === "resolved"
      ? resolveBillingFlag(client, account, reason)
      : decideFlaggedAccount(client, account.userId, decision, reason);
}

/** Reads again what a decision has changed: the queues, their counts, and the community's figures. */
export function useInvalidateReviews() {
  const queries = useQueryClient();
  return () => {
    void queries.invalidateQueries({ queryKey: reviewQueueKey });
    void queries.invalidateQueries({ queryKey: flaggedAccountsKey });
    void queries.invalidateQueries({ queryKey: ["admin"] });
  };
}
