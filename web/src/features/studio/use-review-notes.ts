import { useState } from "react";
import { useUserId } from "@/features/session/index.ts";
import type { SeenDraft } from "./api/draft-actions.ts";
import { storedReview, type StoredReview } from "./model/stored-review.ts";

/** A comment that nothing was written in yet. */
export const emptyComment = { quote: "", comment: "" } as const;

/** The comments of a review until they are sent. They survive closing the draft, leaving the page and a reload. */
export function useReviewNotes({ id, version }: SeenDraft) {
  const userId = useUserId();
  const place = `${id}-${version}`;
  const [notes, setNotes] = useState<StoredReview>(
    () => storedReview.read(userId, place) ?? { comments: [], next: emptyComment },
  );
  return {
    ...notes,
    change: (changes: Partial<StoredReview>) => {
      const changed = { ...notes, ...changes };
      setNotes(changed);
      storedReview.keep(changed, userId, place);
    },
    /** Forgets them, once the review is decided. */
    clear: () => storedReview.keep(null, userId, place),
  };
}
