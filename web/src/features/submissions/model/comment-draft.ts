import * as z from "zod/mini";
import {
  readStoredDraft,
  removeStoredDraft,
  storeDraft,
  type DraftStorage,
} from "@/lib/draft-storage.ts";

const commentDraftSchema = z.object({
  id: z.string(),
  comment: z.string(),
  picked: z.array(z.object({ id: z.nullable(z.string()), name: z.string() })),
});

/** A comment being written, under the id it will be saved with, and the members picked in it. */
export type CommentDraft = z.infer<typeof commentDraftSchema>;

const storageKeyOf = (userId: string, submissionId: string): string =>
  `comment-draft-${userId}-${submissionId}`;

/** Reads the comment on a submission that was not sent in this tab; null when there is none. */
export function readCommentDraft(
  storage: DraftStorage,
  userId: string,
  submissionId: string,
): CommentDraft | null {
  const stored = readStoredDraft(storage, storageKeyOf(userId, submissionId));
  const parsed = commentDraftSchema.safeParse(stored);
  return parsed.success ? parsed.data : null;
}

/** Keeps a comment that is being written; an empty one is forgotten. */
export function keepCommentDraft(
  storage: DraftStorage,
  userId: string,
  submissionId: string,
  draft: CommentDraft,
): void {
  const key = storageKeyOf(userId, submissionId);
  if (draft.comment.trim() === "") removeStoredDraft(storage, key);
  else storeDraft(storage, key, draft);
}
