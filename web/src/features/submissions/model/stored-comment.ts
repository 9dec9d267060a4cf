import * as z from "zod/mini";
import { storedDraft } from "@/lib/stored-draft.ts";

/** A comment being written, under the id it will be saved with, and the members picked in it. */
const commentDraftSchema = z.object({
  id: z.string(),
  comment: z.string(),
  picked: z.array(z.object({ id: z.nullable(z.string()), name: z.string() })),
});

/** The comment on a submission that was not sent, by the submission's id. */
export const storedComment = storedDraft("comment-draft", commentDraftSchema);
