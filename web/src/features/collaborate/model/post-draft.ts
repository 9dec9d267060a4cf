import * as z from "zod/mini";
import {
  readStoredDraft,
  removeStoredDraft,
  storeDraft,
  type DraftStorage,
} from "@/lib/draft-storage.ts";
import { postKinds } from "./post.ts";

const postDraftSchema = z.object({
  /** What the post will be saved under, so that a post whose answer was lost is not saved twice. */
  id: z.string(),
  kind: z.enum(postKinds),
  title: z.string(),
  details: z.string(),
  topics: z.string(),
});

/** A post as it stands in the form. */
export type KeptPost = z.infer<typeof postDraftSchema>;

const storageKeyOf = (userId: string, postId: string | null): string =>
  `post-draft-${userId}-${postId ?? "new"}`;

/** Reads what was not saved in this tab of a post, of a new one for null; null when there is nothing. */
export function readPostDraft(
  storage: DraftStorage,
  userId: string,
  postId: string | null,
): KeptPost | null {
  const parsed = postDraftSchema.safeParse(readStoredDraft(storage, storageKeyOf(userId, postId)));
  return parsed.success ? parsed.data : null;
}

/** Keeps a post that is being written; null forgets it. */
export function keepPostDraft(
  storage: DraftStorage,
  userId: string,
  postId: string | null,
  draft: KeptPost | null,
): void {
  if (draft === null) removeStoredDraft(storage, storageKeyOf(userId, postId));
  else storeDraft(storage, storageKeyOf(userId, postId), draft);
}
