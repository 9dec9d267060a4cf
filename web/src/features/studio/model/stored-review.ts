import * as z from "zod/mini";
import {
  readStoredDraft,
  removeStoredDraft,
  storeDraft,
  type DraftStorage,
} from "@/lib/draft-storage.ts";

const commentSchema = z.object({ quote: z.string(), comment: z.string() });

const storedReviewSchema = z.object({
  comments: z.array(commentSchema),
  /** The comment that is being written. */
  next: commentSchema,
});

/** What a reviewer has written about a version and not sent. */
export type StoredReview = z.infer<typeof storedReviewSchema>;

export interface ReviewKey {
  readonly userId: string;
  readonly draftId: string;
  readonly version: number;
}

const storageKeyOf = ({ userId, draftId, version }: ReviewKey): string =>
  `draft-review-${userId}-${draftId}-${version}`;

/** Reads the unsent review of this tab; null when there is none. */
export function readStoredReview(storage: DraftStorage, key: ReviewKey): StoredReview | null {
  const parsed = storedReviewSchema.safeParse(readStoredDraft(storage, storageKeyOf(key)));
  return parsed.success ? parsed.data : null;
}

export function storeReview(storage: DraftStorage, key: ReviewKey, review: StoredReview): void {
  storeDraft(storage, storageKeyOf(key), review);
}

export function clearStoredReview(storage: DraftStorage, key: ReviewKey): void {
  removeStoredDraft(storage, storageKeyOf(key));
}
