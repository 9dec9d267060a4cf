import { useState } from "react";
import { useUserId } from "@/features/session/index.ts";
import { tabStorage } from "@/lib/draft-storage.ts";
import type { SeenDraft } from "./api/draft-acts.ts";
import {
  clearStoredReview,
  readStoredReview,
  storeReview,
  type StoredReview,
} from "./model/stored-review.ts";

/** A comment that nothing was written in yet. */
export const emptyComment = { quote: "", comment: "" } as const;

/** The comments of a review until they are sent. They survive closing the draft, leaving the page and a reload. */
export function useReviewNotes({ id, version }: SeenDraft) {
  const key = { userId: useUserId(), draftId: id, version };
  const [notes, setNotes] = useState<StoredReview>(
    () => readStoredReview(tabStorage, key) ?? { comments: [], next: emptyComment },
  );
  return {
    ...notes,
    change: (changes: Partial<StoredReview>) => {
      const changed = { ...notes, ...changes };
      setNotes(changed);
      storeReview(tabStorage, key, changed);
    },
    /** Forgets them, once the review is decided. */
    clear: () => clearStoredReview(tabStorage, key),
  };
}
