import * as z from "zod/mini";
import { storedDraft } from "@/lib/stored-draft.ts";

const commentSchema = z.object({ quote: z.string(), comment: z.string() });

const storedReviewSchema = z.object({
  comments: z.array(commentSchema),
  /** The comment that is being written. */
  next: commentSchema,
});

/** What a reviewer has written about a version and not sent. */
export type StoredReview = z.infer<typeof storedReviewSchema>;

/** The review that was not sent, by the draft's id and version. */
export const storedReview = storedDraft("draft-review", storedReviewSchema);
