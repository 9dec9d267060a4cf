import * as z from "zod/mini";
import { storedDraft } from "@/lib/stored-draft.ts";
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

/** What was not saved of a post, by its id, or of a new one. */
export const storedPost = storedDraft("post-draft", postDraftSchema);
